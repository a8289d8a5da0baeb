import { NotApplicable } from "../engine/check-failure.js";
import type { CaseContext } from "../engine/case-context.js";
import type { Behaviour } from "./behaviour.js";
import { checkAnswer } from "./check-answer.js";
import type { Row } from "./row.js";
import { stageOf, SUBJECT_TEXT } from "./stage.js";

const SUBJECT = "/d/a.txt";

async function versionOf(context: CaseContext, path: string): Promise<string> {
  const { version } = await context.backend.read(path);
  if (version === undefined) throw new NotApplicable("read gives no 'version' of this file");
  context.check.that(
    typeof version === "string" && version !== "",
    `The version of ${path} should be a text that is not empty.`,
    "W5",
  );
  return version;
}

/** Calls with a version, and asserts what is predicted with the subject as a file that may be replaced. */
async function withVersion(
  context: CaseContext,
  row: Row,
  version: string,
  ok: boolean,
  what: string,
): Promise<void> {
  const { model, eyes } = await stageOf(context, row, "/e");
  const path = SUBJECT;
  for (const [file, bytes] of (await subjectOf(context)).entries()) model.put(file, bytes);
  await eyes.prime(model.files);
  const args = row.args(path, SUBJECT_TEXT, { ifVersion: version });
  const answer = await context.backend.call(row.method, args);
  const call = `${row.method} with ${what}`;
  if (ok) {
    // W5: in either mode the version replaces.
    const prediction =
      row.id === "write" ? replaced(model, row) : row.predict(model, path, SUBJECT_TEXT);
    checkAnswer(context.check, row, answer, prediction, call, "W5");
  } else checkAnswer(context.check, row, answer, { codes: ["conflict"] }, call, "W5");
  await eyes.see(model.files, `after ${call}`);
}

function replaced(model: Parameters<Row["predict"]>[0], row: Row): ReturnType<Row["predict"]> {
  model.files.delete(SUBJECT);
  return row.predict(model, SUBJECT, SUBJECT_TEXT);
}

async function subjectOf(context: CaseContext): Promise<Map<string, Uint8Array>> {
  const found = await context.contents([SUBJECT]);
  return new Map(
    [...found].map(([path, content]) => [
      path,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    ]),
  );
}

function unversioned(row: Row): string | undefined {
  if (row.kind === "read") return "it changes nothing";
  return row.versioned ? undefined : "it takes no 'ifVersion'";
}

function behaviour(
  id: string,
  why: string,
  run: (context: CaseContext, row: Row) => Promise<void>,
  needs: readonly string[] = [],
): Behaviour {
  return {
    id,
    rules: ["W5", "F2"],
    needs: ["versions", "transfer", ...needs],
    why,
    without: unversioned,
    run,
  };
}

/** Versions that careless code takes for this one: read as a number, trimmed, cut, unquoted, or in another case. */
function resembling(version: string): string[] {
  return [
    `${version} `,
    ` ${version}`,
    `${version}\n`,
    `${version}0`,
    `${version}.0`,
    `${version}-x`,
    `${version}*`,
    `0${version}`,
    `+${version}`,
    `"${version}"`,
    `W/${version}`,
    version.slice(0, -1),
    version.slice(1),
    version.toUpperCase(),
    version.toLowerCase(),
  ];
}

/** W5, for every method that takes a version. */
export const VERSION_BEHAVIOURS: readonly Behaviour[] = [
  behaviour(
    "version-right",
    "The version that read gave lets the call through.",
    async (context, row) => {
      await context.given({ [SUBJECT]: SUBJECT_TEXT });
      await withVersion(context, row, await versionOf(context, SUBJECT), true, "the right version");
    },
  ),
  behaviour(
    "version-after-edit",
    "So does the version that read gives after a change.",
    async (context, row) => {
      await context.given({ [SUBJECT]: "0ne\ntwo\n" });
      const old = await versionOf(context, SUBJECT);
      context.check.succeeded(await context.backend.edit(SUBJECT, "0ne", "one"), "edit");
      const version = await versionOf(context, SUBJECT);
      context.check.that(
        version !== old,
        `An edit should change the version, but it is still ${JSON.stringify(version)}.`,
        "W5",
      );
      await withVersion(context, row, version, true, "the version after an edit");
    },
  ),
  behaviour(
    "version-old",
    "A version from before a change is refused, though the size and the second are the same.",
    async (context, row) => {
      await context.given({ [SUBJECT]: "0ne\ntwo\n" });
      const old = await versionOf(context, SUBJECT);
      context.check.succeeded(await context.backend.edit(SUBJECT, "0ne", "one"), "edit");
      await withVersion(context, row, old, false, "an old version");
    },
  ),
  behaviour(
    "version-of-upload",
    "A version from before an upload of as many bytes is refused.",
    async (context, row) => {
      await context.given({ [SUBJECT]: "0ne\ntwo\n" });
      const old = await versionOf(context, SUBJECT);
      await context.backend.uploadFiles([[SUBJECT, new TextEncoder().encode(SUBJECT_TEXT)]]);
      await withVersion(context, row, old, false, "the version before an upload");
    },
  ),
  behaviour(
    "version-and-back",
    "A file that was changed and changed back is at another version, unless a version names a content.",
    async (context, row) => {
      await context.given({ [SUBJECT]: SUBJECT_TEXT });
      const old = await versionOf(context, SUBJECT);
      context.check.succeeded(await context.backend.edit(SUBJECT, "one", "0ne"), "edit");
      context.check.succeeded(await context.backend.edit(SUBJECT, "0ne", "one"), "the edit back");
      if ((await versionOf(context, SUBJECT)) === old)
        throw new NotApplicable("a version names a content here");
      await withVersion(context, row, old, false, "the version before two edits");
    },
  ),
  behaviour(
    "version-recreated",
    "A file that was removed and made anew with as many other bytes is at another version.",
    async (context, row) => {
      await context.given({ [SUBJECT]: "0ne\ntwo\n" });
      const old = await versionOf(context, SUBJECT);
      context.check.succeeded(await context.backend.delete(SUBJECT), "delete");
      await context.given({ [SUBJECT]: SUBJECT_TEXT });
      await withVersion(context, row, old, false, "the version of a file that was removed");
    },
    ["delete"],
  ),
  behaviour(
    "version-of-another",
    "The version of another file is refused.",
    async (context, row) => {
      await context.given({ "/other.txt": "0ther\nx\n", "/older.txt": "older\n" });
      context.check.succeeded(await context.backend.edit("/other.txt", "0ther", "other"), "edit");
      const other = await versionOf(context, "/other.txt");
      await context.given({ [SUBJECT]: SUBJECT_TEXT });
      if ((await versionOf(context, SUBJECT)) === other)
        throw new NotApplicable("two files may be at the same version here");
      const { model, eyes } = await stageOf(context, row, "/e");
      model.put(SUBJECT, new TextEncoder().encode(SUBJECT_TEXT));
      model.put("/other.txt", new TextEncoder().encode("other\nx\n"));
      model.put("/older.txt", new TextEncoder().encode("older\n"));
      const answer = await context.backend.call(
        row.method,
        row.args(SUBJECT, SUBJECT_TEXT, { ifVersion: other }),
      );
      checkAnswer(
        context.check,
        row,
        answer,
        { codes: ["conflict"] },
        `${row.method} with the version of another file`,
        "W5",
      );
      await eyes.see(model.files, `after ${row.method} with the version of another file`);
    },
  ),
  behaviour(
    "version-of-nothing",
    "A version where no file is, is refused, and nothing is created.",
    async (context, row) => {
      await context.given({ [SUBJECT]: SUBJECT_TEXT });
      const version = await versionOf(context, SUBJECT);
      const { model, eyes } = await stageOf(context, row, "/e");
      model.put(SUBJECT, new TextEncoder().encode(SUBJECT_TEXT));
      const args = row.args("/e/nothing.txt", SUBJECT_TEXT, { ifVersion: version });
      const answer = await context.backend.call(row.method, args);
      checkAnswer(
        context.check,
        row,
        answer,
        { codes: ["conflict", "not_found"] },
        `${row.method} of nothing with a version`,
        "W5",
      );
      await eyes.see(model.files, `after ${row.method} of nothing with a version`);
    },
  ),
  behaviour(
    "version-unknown",
    "A version that never was is refused, also one that is the right one but for a character.",
    async (context, row) => {
      await context.given({ [SUBJECT]: SUBJECT_TEXT });
      const right = await versionOf(context, SUBJECT);
      const { model, eyes } = await stageOf(context, row, "/e");
      model.put(SUBJECT, new TextEncoder().encode(SUBJECT_TEXT));
      await eyes.prime(model.files);
      for (const version of [
        "no such version",
        "no\0version",
        "\ud800",
        "",
        "0",
        "*",
        ...resembling(right),
      ]) {
        if (version === right) continue;
        const answer = await context.backend.call(
          row.method,
          row.args(SUBJECT, SUBJECT_TEXT, { ifVersion: version }),
        );
        checkAnswer(
          context.check,
          row,
          answer,
          { codes: ["conflict", "invalid_argument"] },
          `${row.method} with the version ${JSON.stringify(version)}, where ${JSON.stringify(right)} is right,`,
          "W5",
        );
      }
      await eyes.see(model.files, `after ${row.method} with a version that never was`);
    },
  ),
];
