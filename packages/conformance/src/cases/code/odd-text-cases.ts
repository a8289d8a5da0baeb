import type { GlobResult, ResultBase } from "@fs/protocol";
import { hasFailed } from "../../engine/checker.js";
import type { CaseContext } from "../../engine/case-context.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

/** Texts that encoders, drivers, formats and templates stumble over. */
const ODD = [
  "\ud83c",
  "a\udf00",
  "%zz",
  "%E0%A4%A",
  "\\u",
  "'\"`;--",
  "${a}{{a}}",
  "{",
  "$1",
  "\u2028\ufeff",
  "\u0000",
  "b".repeat(70_000),
];

const FILES = { "/d/a.txt": "one\n", "/d/b.txt": "two\n" };

/** What a call is named in a failure, and the call. */
type Call = readonly [what: string, call: () => Promise<unknown>];

/** Searches for a text that no file holds and no name matches. */
function searches({ backend }: CaseContext, odd: string): Call[] {
  return [
    ["glob for it", () => backend.glob(odd)],
    ["grep for it", () => backend.grep(odd)],
    ["grep in files of that pattern", () => backend.grep("one", "/d", odd)],
    ["grep in any case", () => backend.grep(odd, "/d", null, null, { ignoreCase: true })],
  ];
}

/** Calls that must be refused: what the text names is not there, or is no version. */
function refusals(context: CaseContext, odd: string): Call[] {
  const { backend, profile } = context;
  const path = `/d/${odd}`;
  const ifVersion = { ifVersion: odd };
  const calls: Call[] = [
    ["ls of it", () => backend.ls(path)],
    ["glob in it", () => backend.glob("**", path)],
    ["grep in it", () => backend.grep("one", path)],
    ["read of it", () => backend.read(path)],
    ["readRaw of it", () => backend.readRaw(path)],
    ["edit of what is not there", () => backend.edit("/d/a.txt", `${odd}none`, "x")],
    ["edit to it of what is not there", () => backend.edit("/d/a.txt", "none", odd)],
    ["edit of a file of that name", () => backend.edit(path, "one", "x")],
  ];
  if (hasFeature(context, "stat")) calls.push(["stat of it", () => backend.call("stat", [path])]);
  if (hasFeature(context, "versions"))
    calls.push(
      ["write at that version", () => backend.write("/d/a.txt", "x", ifVersion)],
      ["edit at that version", () => backend.edit("/d/a.txt", "one", "x", false, ifVersion)],
    );
  if (profile.multiEdit) {
    const edits = [
      { old: "one", new: "x" },
      { old: "none", new: odd },
    ];
    calls.push(["multiEdit to it", () => backend.multiEdit("/d/a.txt", edits)]);
  }
  if (profile.delete) calls.push(["delete of it", () => backend.delete(path)]);
  if (profile.move) calls.push(["move of it", () => backend.move(path, "/e.txt")]);
  if (profile.copy) calls.push(["copy of it", () => backend.copy(path, "/e.txt")]);
  return calls;
}

/** L5: a page goes on behind a marker, whether or not that is the path of anything. */
async function pagesAfter({ backend, check }: CaseContext, odd: string): Promise<void> {
  const after = `/d/${odd}`;
  const behind = Object.keys(FILES).filter((path) => path > after);
  for (const [what, args] of [
    ["ls", ["/d", { after }]],
    ["glob", ["**", "/", { after }]],
  ] as const) {
    const answer = (await backend.call(what, args)) as GlobResult;
    const paths = answer.files?.map(({ path }) => path);
    check.equal(paths, behind, `What ${what} gives after ${nameOf(odd)}`, "L5");
  }
}

function nameOf(odd: string): string {
  return odd.length > 20 ? `a text of ${odd.length} characters` : show(odd);
}

async function oddTexts(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  await context.given(FILES);
  for (const odd of ODD) {
    await Promise.all([
      ...searches(context, odd).map(async ([what, call]) => {
        const { files, matches } = (await call()) as { files?: unknown[]; matches?: unknown[] };
        check.equal(files ?? matches ?? [], [], `What ${what} finds, given ${nameOf(odd)}`, "A1");
      }),
      ...refusals(context, odd).map(async ([what, call]) => {
        const refused = hasFailed((await call()) as ResultBase);
        check.that(refused, `${what} succeeded, given ${nameOf(odd)}.`, "A1");
      }),
    ]);
    if (hasFeature(context, "pages")) await pagesAfter(context, odd);
  }
  await context.holds(FILES, backend, "A7");
  const found = (await backend.glob("**")).files?.map(({ path }) => path);
  check.equal(found, Object.keys(FILES), "What is there after it", "A7");
}

/** Texts in every place where a caller gives one. */
export const oddTextCases: readonly Case[] = [
  {
    id: "guard/odd-texts",
    rules: ["A1", "A7", "L5"],
    level: "core",
    needs: ["consistency=strong"],
    patience: 2,
    why: "Whatever text a caller gives as a path, a pattern, a marker, a version or a replacement, the call answers.",
    hint: "Encoders, drivers and templates throw for half a surrogate pair or an escape that is cut: encode inside what makes results of errors.",
    run: oddTexts,
  },
];
