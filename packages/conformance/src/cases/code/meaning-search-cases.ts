import type { CaseContext } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import type { Case } from "../case.js";

/** What some tool, shell, statement or template takes for an instruction where it stands in a search. */
const PATTERNS: ReadonlySet<string> = new Set([
  ..."{} {}; x{}y ={} + \\; ; -- - -e -n -rv --help -1 @file @- %s %d %% % %00 %2F $ $0 $1 $$ $& $HOME ${a} $(id) `id`".split(
    " ",
  ),
  ...`' " \\ * ? [ ] ( ) { } | ^ . ~ # ! & < > = _ : , /`.split(" "),
  ..."[a] [^a] .* ^a a$ (a) a|b \\d \\n \\1 \\\\ \\b \\Q \\E (?i) !! {{a}} {0} {a,b} a{2} <a> << EOF >& 2>&1 // /* -- //".split(
    " ",
  ),
  ..."null undefined true NaN 0 NULL __proto__ constructor OR 1=1 LIKE ESCAPE *:* ~* =~ (?s) &amp; \\u0041 \\x41".split(
    " ",
  ),
  "'; --",
  "' OR '",
  "a b",
  " a",
  "\t",
  "\u00e9",
  "\u2028",
  "\u0085",
  "\ufeff",
  "\u{1f600}",
]);

const FILES = 3;

/** S1, S8: a pattern is what it is written as, whatever searches for it. */
async function asWritten(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const lines = new Map(
    Array.from({ length: FILES }, (_, n) => [
      `/d/${n}.txt`,
      [...PATTERNS]
        .filter((_pattern, at) => at % FILES === n)
        .map((pattern) => `before ${pattern} after`),
    ]),
  );
  await context.given(
    Object.fromEntries([...lines].map(([path, all]) => [path, `${all.join("\n")}\n`])),
  );
  const found = (holds: (line: string) => boolean): string[] =>
    sortedPaths(lines.keys()).flatMap((path) =>
      (lines.get(path) ?? []).filter(holds).map((line) => `${path}: ${line}`),
    );
  for (const pattern of PATTERNS) {
    const what = `grep of ${JSON.stringify(pattern)}`;
    const plain = await backend.grep(pattern, "/d");
    check.succeeded(plain, what, "S1");
    check.equal(
      plain.matches?.map(({ path, text }) => `${path}: ${text}`),
      found((line) => line.includes(pattern)),
      `What ${what} finds`,
      "S1",
    );
    if (!context.profile.codes) continue;
    const folded = await backend.grep(pattern, "/d", null, null, { ignoreCase: true });
    check.equal(
      folded.matches?.map(({ path, text }) => `${path}: ${text}`),
      found((line) => line.toLowerCase().includes(pattern.toLowerCase())),
      `What ${what} in any case finds`,
      "S8",
    );
  }
}

/** Searches for what means something elsewhere. */
export const meaningSearchCases: readonly Case[] = [
  {
    id: "grep/patterns-with-meaning",
    rules: ["S1", "S8", "S3"],
    level: "core",
    needs: ["transfer"],
    patience: 2,
    why: "A pattern is searched for as it is written, whatever it means to the tool, shell or statement that searches.",
    hint: "Hand a pattern over where nothing is replaced: not in a command's text, and not among the arguments of find -exec or xargs.",
    run: asWritten,
  },
];
