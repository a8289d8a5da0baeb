import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import { requireEdited } from "../../races/require-edited.js";
import { requireVisibleDoubleCreate, requireVisibleEditLoss } from "../../races/racy-client.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";
import { sizesWithin } from "./sizes-within.js";
import { versionOf } from "./version-of.js";

/** Lines of contents around the blocks, parts and samples of storages: from 4 kB to over half a megabyte. */
const SIZES = [300, 1400, 5600, 11_000, 42_000];
/** Bytes of a line, and of what is put in front of a text. */
const LINE_BYTES = "000000 open\n".length;
const FRONT_BYTES = 10;

/** Of them, what is kept beside the row of a file, and in several parts. */
const KINDS_OF_SIZES = [1400, 11_000];

/** The sizes that a file may have here. */
function sizesOf(context: CaseContext, all: readonly number[] = SIZES): number[] {
  return sizesWithin(context, all, (lines) => lines * LINE_BYTES + FRONT_BYTES);
}

/** Where in such a text something changes: away from its ends, its middle, and from whatever power of two. */
const PLACES = [0.13, 0.31, 0.57, 0.71, 0.89];
const WRITERS = 3;

const lineOf = (n: number, state: string): string => `${String(n).padStart(6, "0")} ${state}\n`;

/** A text of so many lines, in some of which another word of as many letters stands. */
function tableOf(lines: number, changed: readonly number[] = []): string {
  return range(lines)
    .map((n) => lineOf(n, changed.includes(n) ? "done" : "open"))
    .join("");
}

function changeAt(backend: GuardedBackend, path: string, line: number): Promise<Answered> {
  return backend.edit(path, lineOf(line, "open"), lineOf(line, "done"));
}

/** M1, A7: what is copied shares nothing with its copy, however large it is and however small a change. */
async function apart(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const lines of sizesOf(context)) {
    const [one, two] = [`/d/${lines}.txt`, `/e/${lines}.txt`];
    await context.given({ [one]: tableOf(lines) });
    check.succeeded(await backend.copy(one, two), "copy", "M1");
    const places = PLACES.map((share) => Math.floor(lines * share));
    const [first = 0, second = 0] = places;
    check.succeeded(await changeAt(backend, two, first), "edit of the copy", "E1");
    await context.holds({ [one]: tableOf(lines), [two]: tableOf(lines, [first]) }, backend, "A7");
    check.succeeded(await changeAt(backend, one, second), "edit of the original", "E1");
    await context.holds(
      { [one]: tableOf(lines, [second]), [two]: tableOf(lines, [first]) },
      backend,
      "A7",
    );
  }
}

/** M1, A7: a copy that nobody has looked at is whole when its original has gone, or was replaced. */
async function outlives(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const replace = async (path: string): Promise<void> => {
    const [stored] = await backend.uploadFiles([[path, new TextEncoder().encode("other\n")]]);
    check.equal(stored?.error, null, "uploadFiles over the original", "T1");
  };
  const ends: Array<readonly [name: string, end: (path: string) => Promise<void>]> = [
    ["replaced", replace],
  ];
  if (profile.delete)
    ends.push([
      "removed",
      async (path) => check.succeeded(await backend.delete(path), "delete of the original", "D1"),
    ]);
  if (profile.move)
    ends.push([
      "replaced-by-a-move",
      async (path) => {
        await context.given({ [`${path}-small`]: "other\n" });
        const moved = await backend.move(`${path}-small`, path, { overwrite: true });
        check.succeeded(moved, "move over the original", "M1");
      },
    ]);
  for (const lines of sizesOf(context, KINDS_OF_SIZES))
    for (const [name, end] of ends) {
      context.transcript.clear();
      const [one, two, three] = ["one", "two", "three"].map(
        (copy) => `/${name}-${lines}/${copy}.txt`,
      ) as [string, string, string];
      await context.given({ [one]: tableOf(lines) });
      check.succeeded(await backend.copy(one, two), "copy", "M1");
      check.succeeded(await backend.copy(two, three), "copy of a copy", "M1");
      await end(one);
      await context.holds({ [two]: tableOf(lines) }, backend, "A7");
      await end(two);
      await context.holds({ [three]: tableOf(lines) }, backend, "A7");
    }
}

/** F2, W5: a change of a large content is another version, wherever in it, also where the length stays. */
async function versions(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const lines of sizesOf(context)) {
    const path = `/${lines}.txt`;
    await context.given({ [path]: tableOf(lines) });
    const places = PLACES.map((share) => Math.floor(lines * share));
    let version = await versionOf(context, path);
    for (const line of places) {
      const what = `an edit in line ${line + 1} of ${lines}`;
      check.succeeded(await changeAt(backend, path, line), what, "E1");
      const next = await versionOf(context, path);
      check.that(next !== version, `After ${what} the version is still ${version}.`, "F2");
      const late = await backend.edit(path, "000000 open", "000000 lost", false, {
        ifVersion: version,
      });
      check.failed(late, "conflict", `edit at the version before ${what}`, "W5");
      version = next;
    }
    await context.holds({ [path]: tableOf(lines, places) }, backend, "A7");
  }
}

/** W4: one write of several wins, also where a content is larger than what is sent at once. */
async function creates(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  await requireVisibleDoubleCreate(context);
  for (const lines of sizesOf(context)) {
    const path = `/d/${lines}.txt`;
    const texts = range(WRITERS).map((n) => `${n}\n${tableOf(lines)}`);
    const answers = await race(
      texts.map((text, n) => () => (n % 2 === 0 ? backend : other).write(path, text)),
    );
    const won = texts.filter((_, n) => answers[n]?.error === undefined);
    check.equal(won.length, 1, `The number of winners among ${WRITERS} large writes`, "W4");
    for (const answer of answers)
      if (answer.error !== undefined)
        check.failed(answer, "already_exists", `one of ${WRITERS} large writes`, "W4");
    await context.holds({ [path]: won[0] ?? "" }, backend, "A7");
  }
}

/** E7: no edit of a large file undoes another one that was acknowledged. */
async function edits(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  await requireVisibleEditLoss(context);
  for (const lines of sizesOf(context)) {
    const path = `/d/${lines}.txt`;
    await context.given({ [path]: tableOf(lines) });
    const places = PLACES.map((share) => Math.floor(lines * share));
    const answers = await race(
      places.map((line, n) => () => changeAt(n % 2 === 0 ? backend : other, path, line)),
    );
    const done = places.filter((_, n) =>
      requireEdited(context, answers[n] ?? {}, "one of several edits of a large file"),
    );
    check.that(done.length > 0, "Of several edits of a large file none was done.", "E7");
    await context.holds({ [path]: tableOf(lines, done) }, backend, "A7");
  }
}

const PARTS_HINT =
  "Where a content is sent in parts, the condition holds for the step that makes it visible.";

/** Contents that storages keep in parts, share, or know by a part of them. */
export const largeContentCases: readonly Case[] = [
  {
    id: "copy/large-stay-apart",
    rules: ["M1", "A7", "E1"],
    level: "core",
    needs: ["copy"],
    patience: 2,
    why: "A copy and its original are two files: a small change of one is not seen in the other, however large both are.",
    hint: "Blocks that are shared are never written in place.",
    run: apart,
  },
  {
    id: "copy/large-outlives-its-original",
    rules: ["M1", "A7"],
    level: "core",
    needs: ["copy", "transfer"],
    patience: 2,
    why: "A copy is whole when its original was removed or replaced, however large it is, and though nothing has read it before.",
    hint: "What a copy shares with its original goes with the last file that names it.",
    run: outlives,
  },
  {
    id: "version/of-large-contents",
    rules: ["F2", "W5", "E1"],
    level: "core",
    needs: ["versions"],
    patience: 2,
    why: "A change anywhere in a large content is another version.",
    hint: "Hash all of it, or count changes: size, time and samples are the same for others.",
    run: versions,
  },
  ...overlapCases([
    {
      name: "large-creates",
      rules: ["W4", "A7"],
      needs: ["writeMode=create"],
      why: "Of several writes of a large content at once exactly one wins, and what is there is its own.",
      hint: PARTS_HINT,
      run: creates,
    },
    {
      name: "large-edits",
      rules: ["E7", "A7"],
      needs: [],
      why: "Edits of a large file at once lose nothing: each one that is acknowledged is there.",
      hint: PARTS_HINT,
      run: edits,
    },
  ]),
];
