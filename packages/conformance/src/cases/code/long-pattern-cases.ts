import type { GrepOptions } from "@fs/protocol";
import { NotApplicable } from "../../engine/check-failure.js";
import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

/** Characters of a pattern: around a column of 255, as many as a pattern of names may have, and more than an expression may. */
const LENGTHS = [100, 255, 256, 300, 600, 1024, 5000];
const MAX_EXPRESSION = 4096;

const HINT = "A column that is too short for a pattern cuts it in silence.";

/** A text in which no part repeats soon. */
function longText(length: number): string {
  return range(length)
    .map((n) => `n${n} `)
    .join("")
    .slice(0, length - 1)
    .concat("!");
}

/** S1: all of a pattern is looked for, not what it begins with. */
async function longTexts(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const ways: ReadonlyArray<GrepOptions | undefined> = [
    undefined,
    { ignoreCase: true },
    ...(profile.regex ? [{ regex: true }] : []),
  ];
  for (const length of LENGTHS) {
    const text = longText(length);
    const path = `/${length}/right.txt`;
    await context.given({
      [path]: `before\n<${text}>\nafter\n`,
      [`/${length}/cut.txt`]: `<${text.slice(0, -1)}?>\n`,
      [`/${length}/short.txt`]: `<${text.slice(0, -1)}\n`,
    });
    for (const options of ways) {
      if (options?.regex === true && length > MAX_EXPRESSION) continue;
      const { matches } = await backend.grep(text, `/${length}`, null, null, options);
      const what = `What grep finds of ${length} characters with ${JSON.stringify(options ?? {})}`;
      const found = matches?.map((match) => [match.path, match.line]);
      check.equal(found, [[path, 2]], what, "S1");
    }
  }
}

/** G1: all of a pattern of names counts. */
async function longNames(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const { pathBytes = 4096 } = profile.limits;
  const directory = "d".repeat(180);
  const directories = [1, 2, 5].map((depth) => `/${directory}`.repeat(depth));
  const allowed = directories.filter((above) => `${above}/one.txt`.length <= pathBytes);
  if (allowed.length === 0) throw new NotApplicable(`a path may have ${pathBytes} bytes here`);
  for (const above of allowed) {
    const [one, two] = [`${above}/one.txt`, `${above}/two.txt`];
    await context.given({ [one]: "needle\n", [two]: "needle\n" });
    for (const pattern of [one, one.slice(1)]) {
      const what = `a pattern of ${pattern.length} characters`;
      const found = (await backend.glob(pattern)).files?.map(({ path }) => path);
      check.equal(found, [one], `What glob finds by ${what}`, "G1");
      const { matches } = await backend.grep("needle", "/", pattern);
      const hits = matches?.map(({ path }) => path);
      check.equal(hits, [one], `Where grep looks by ${what}`, "S5");
    }
  }
}

/** Patterns that are longer than a column, a line or a name. */
export const longPatternCases: readonly Case[] = [
  {
    id: "grep/long-patterns",
    rules: ["S1", "S8"],
    level: "core",
    needs: [],
    why: "A line matches a long pattern with all of it, not with what it begins with.",
    hint: HINT,
    run: longTexts,
  },
  {
    id: "glob/long-patterns",
    rules: ["G1", "S5"],
    level: "core",
    needs: [],
    why: "A path matches a long pattern with all of it.",
    hint: HINT,
    run: longNames,
  },
];
