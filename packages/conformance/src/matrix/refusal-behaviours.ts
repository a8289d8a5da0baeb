import type { CaseContext } from "../engine/case-context.js";
import { treeOf } from "../eyes/tree.js";
import { show } from "../report/render.js";
import type { Behaviour } from "./behaviour.js";
import { checkAnswer, resultOf } from "./check-answer.js";
import type { Row } from "./row.js";
import { stageOf } from "./stage.js";

/** Edits that do not apply to `one\ntwo\n`, with their code and what the sentence must hold. */
const REFUSED: ReadonlyArray<
  readonly [code: string, old: string, to: string, says: RegExp, what: string]
> = [
  ["no_match", "one\ntwoo", "x", /one|two/, "of a text that is nearly there"],
  ["no_match", "ONE", "x", /./, "of a text in another case"],
  ["no_match", " two", "x", /./, "of a text with another margin"],
  ["no_match", "two\r\n", "x", /./, "of a text with another line end, where there is one kind"],
  ["no_match", "zebra", "zebra", /./, "of a text by itself, which is not there"],
  ["not_unique", "o", "x", /\b2\b/, "of a text that is there twice"],
  ["not_unique", "\n", "\n", /\b2\b/, "of a line end by itself"],
  ["invalid_argument", "", "x", /./, "of nothing"],
];

/** Texts that resemble each other, and are different ones for an edit and for a search. */
const NEAR: ReadonlyArray<readonly [string, string]> = [
  ["    indented", "\tindented"],
  ['say "so"', "say \u201cso\u201d"],
  ["it's", "it\u2019s"],
  ["no break", "no\u00a0break"],
  ["one  two", "one two three"],
  ["caf\u00e9", "cafe\u0301"],
  ["a-b", "a\u2013b"],
  ["wait...", "wait\u2026"],
  ["a &amp; b", "a & b"],
  ["tab\\t", "tab\t"],
  ["\u0430\u0441", "ac"],
  ["\ufb01ne", "fine"],
  ["\uff21", "A"],
  ["Word", "word"],
  ["x = 1;", "x=1;"],
];

/** E1, S1: what only resembles a text is neither edited nor found. */
async function resembling(context: CaseContext, row: Row): Promise<void> {
  const { backend, check } = context;
  const { model, eyes } = await stageOf(context, row);
  const pairs = [...NEAR, ...NEAR.map(([one, other]) => [other, one] as const)];
  const files = Object.fromEntries(pairs.map(([there], n) => [`/near/${n}.txt`, `${there}\n`]));
  await context.given(files);
  for (const [path, bytes] of treeOf(files)) model.put(path, bytes);
  await eyes.prime(model.files);
  for (const [n, [, old]] of pairs.entries()) {
    const path = `/near/${n}.txt`;
    const args =
      row.method === "edit"
        ? [path, old, "x", false]
        : [path, [{ old, new: "x", replaceAll: true }]];
    const answer = await backend.call(row.method, args);
    const what = `${row.method} of ${show(files[path])} by ${show(old)}`;
    checkAnswer(check, row, answer, { codes: ["no_match"] }, what, "E1");
    check.equal(
      (await backend.grep(old, path)).matches,
      [],
      `What grep finds of ${show(old)} in ${show(files[path])}`,
      "S1",
    );
  }
  await eyes.see(model.files, `after calls of ${row.method} that were refused`);
}

/** Edits that are refused for what the file holds: they say why, and leave file, version and times alone. */
async function refusedEdits(context: CaseContext, row: Row): Promise<void> {
  const { check, backend } = context;
  const { path, model, eyes } = await stageOf(context, row);
  for (const [code, old, to, says, what] of REFUSED) {
    const lists = [
      [{ old, new: to }],
      [
        { old: "one", new: "1" },
        { old: "two", new: "2" },
        { old: old === "o" ? "\n" : old, new: to },
      ],
      [
        { old: "one", new: "three", replaceAll: true },
        { old: old === "o" ? "\n" : old, new: to },
        { old: "two", new: "2" },
      ],
    ];
    const calls =
      row.method === "edit" ? [[path, old, to, false]] : lists.map((edits) => [path, edits]);
    for (const [n, args] of calls.entries()) {
      const answer = await backend.call(row.method, args);
      const call = `${row.method} ${what}`;
      checkAnswer(check, row, answer, { codes: [code] }, call, "E1");
      const error = String(resultOf(row, answer)["error"]);
      check.that(
        // Edits before it may leave nothing that resembles it.
        !context.profile.codes || (n > 0 && code === "no_match") || says.test(error),
        `The error of ${call} should say ${code === "no_match" ? "which lines are closest" : "how often it is there"}, but it says ${JSON.stringify(error)}.`,
        "E5",
      );
    }
  }
  await eyes.see(model.files, `after calls of ${row.method} that were refused`);
}

/** E1, E5 and E8, for every method that edits. */
export const REFUSAL_BEHAVIOURS: readonly Behaviour[] = [
  {
    id: "refused-by-content",
    rules: ["E1", "E5", "A7", "F2"],
    needs: ["transfer"],
    why: "An edit that does not apply says why, and changes neither the file nor its version nor its times.",
    hint: "Look for every old text before anything is stored.",
    without: (row) =>
      row.id === "edit" || row.id === "multiEdit"
        ? undefined
        : "it looks for no text, or for all of them",
    run: refusedEdits,
  },
  {
    id: "resembling-texts",
    rules: ["E1", "S1", "W3"],
    needs: ["transfer"],
    why: "A text that only resembles the one in the file is neither edited nor found.",
    hint: "No second try with other white space, quotes or forms of Unicode: the caller would not know what was replaced.",
    without: (row) =>
      row.id === "edit" || row.id === "multiEdit"
        ? undefined
        : "it looks for no text, or for all of them",
    run: resembling,
  },
];
