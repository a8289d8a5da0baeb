import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

/** What arguments are joined with, where they become one key. */
const SEPARATORS = [":", "|", ",", ";", " ", "-", "_", "#", "&", "=", "+", "::", "->", '","'];

const HINT =
  "What is kept under all arguments of a call needs a key in which they cannot run into each other, as JSON.";

/** P3, S1: calls whose arguments are alike only when they are put together are two calls. */
async function joinedAlike(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const files = SEPARATORS.flatMap((by, n): Array<[string, string]> => [
    [`/${n}/a`, `b${by}c\n`],
    [`/${n}/a${by}b`, "c, and no more\n"],
    [`/${n}/d/x`, `y${by}z\n`],
    [`/${n}/d/x${by}y`, `z\n`],
    [`/${n}/e${by}/${n}/f`, "u\n"],
    [`/${n}/f`, "nothing\n"],
  ]);
  await context.given(Object.fromEntries(files));
  for (const [n, by] of SEPARATORS.entries()) {
    const found = async (pattern: string, path: string, filter?: string): Promise<unknown> =>
      (await backend.grep(pattern, path, filter)).matches?.map((match) => [match.path, match.text]);
    const what = `grep with ${JSON.stringify(by)} in`;
    const [whole, longer] = [`/${n}/a`, `/${n}/a${by}b`];
    check.equal(
      [await found(`b${by}c`, whole), await found("c", longer)],
      [[[whole, `b${by}c`]], [[longer, "c, and no more"]]],
      `What ${what} the pattern finds, and then with it in the path`,
      "S1",
    );
    const [first, second] = [`/${n}/d/x`, `/${n}/d/x${by}y`];
    check.equal(
      [await found("z", `/${n}/d`, `x${by}y`), await found(`z${by}x`, `/${n}/d`, "y")],
      [[[second, "z"]], []],
      `What ${what} the filter finds, and then with it in the pattern`,
      "S5",
    );
    check.equal(
      [await found("u", `/${n}/e${by}/${n}/f`), await found(`u${by}/${n}/e`, `/${n}/f`)],
      [[[`/${n}/e${by}/${n}/f`, "u"]], []],
      `What ${what} the path finds, and then with it in the pattern`,
      "S1",
    );
    check.equal(
      [(await backend.read(first)).content, (await backend.read(second)).content],
      [`y${by}z\n`, "z\n"],
      `What read gives of names with and without ${JSON.stringify(by)}`,
      "P3",
    );
  }
}

/** P3, L5: numbers beside names are arguments of their own too. */
async function numbersAlike(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const lines = range(30).map((n) => `line ${n}\n`);
  for (const [n, by] of SEPARATORS.entries()) {
    const [plain, numbered] = [`/${n}/a`, `/${n}/a${by}1`];
    await context.given({ [plain]: lines.join(""), [numbered]: lines.toReversed().join("") });
    const pages = [
      (await backend.read(plain, 1, 11)).content,
      (await backend.read(plain, 11, 1)).content,
      (await backend.read(numbered, 1, 1)).content,
      (await backend.read(plain, 1, 1)).content,
    ];
    check.equal(
      pages,
      [lines.slice(1, 12).join(""), lines[11], lines[28], lines[1]],
      `Pages of ${plain} and of ${JSON.stringify(numbered)}`,
      "R1",
    );
  }
}

/** Arguments that are alike only when they are joined. */
export const joinedArgumentCases: readonly Case[] = [
  {
    id: "grep/arguments-apart",
    rules: ["S1", "S5", "P3"],
    level: "core",
    needs: [],
    why: "Path, pattern and filter are three arguments, whatever sign is in them.",
    hint: HINT,
    run: joinedAlike,
  },
  {
    id: "read/arguments-apart",
    rules: ["R1", "P3"],
    level: "core",
    needs: [],
    why: "Path, offset and limit are three arguments, whatever sign or number is in the path.",
    hint: HINT,
    run: numbersAlike,
  },
];
