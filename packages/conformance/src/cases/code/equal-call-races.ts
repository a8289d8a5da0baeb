import type { CaseContext } from "../../engine/case-context.js";
import { race, range } from "../../races/race.js";
import { requireVisibleDoubleCreate, requireVisibleEditLoss } from "../../races/racy-client.js";
import type { Case } from "../case.js";

const CALLS = 4;
const HINT =
  "Only reads may share an answer. A change that is called twice is two changes, and the second meets what the first has done.";

/** W4, M1: only one call has created the file, also where all of them would create the same one. */
async function equalCreates(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  await requireVisibleDoubleCreate(context);
  await context.given({ "/source.txt": "x" });
  const ways: ReadonlyArray<
    readonly [what: string, rule: string, call: (path: string) => Promise<{ error?: string }>]
  > = [
    ["writes", "W4", (path) => backend.write(path, "equal")],
    ...(profile.copy
      ? ([["copies", "M1", (path: string) => backend.copy("/source.txt", path)]] as const)
      : []),
  ];
  for (const [what, rule, call] of ways)
    for (const round of range(3)) {
      const path = `/d/${what}-${round}.txt`;
      const answers = await race(range(CALLS).map(() => () => call(path)));
      const won = answers.filter(({ error }) => error === undefined).length;
      check.equal(won, 1, `The number of winners among ${CALLS} equal ${what}`, rule);
      for (const answer of answers)
        if (answer.error !== undefined)
          check.failed(answer, "already_exists", `one of ${CALLS} equal ${what}`, rule);
    }
}

/** E7: each of several equal edits that are acknowledged has doubled what it found. */
async function equalEdits(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  await requireVisibleEditLoss(context);
  const edits = [{ old: "x", new: "xx", replaceAll: true }];
  const ways: ReadonlyArray<readonly [string, (path: string) => Promise<{ error?: string }>]> = [
    ["edits", (path) => backend.edit(path, "x", "xx", true)],
    ...(profile.multiEdit
      ? ([["multi-edits", (path: string) => backend.multiEdit(path, edits)]] as const)
      : []),
  ];
  for (const [what, call] of ways)
    for (const round of range(3)) {
      const path = `/d/${what}-${round}.txt`;
      await context.given({ [path]: "x\n" });
      const answers = await race(range(CALLS).map(() => () => call(path)));
      const done = answers.filter(({ error }) => error === undefined).length;
      check.that(done > 0, `Of ${CALLS} equal ${what} one at least should be done.`, "E7");
      for (const answer of answers)
        if (answer.error !== undefined)
          check.failed(answer, "conflict", `one of ${CALLS} equal ${what}`, "E7");
      await context.holds({ [path]: `${"x".repeat(2 ** done)}\n` }, backend, "A7");
    }
}

/** Races of calls that are equal in every argument. */
export const equalCallRaces: readonly Case[] = [
  {
    id: "conc/equal-creates",
    rules: ["W4", "M1", "A7"],
    level: "safe",
    needs: ["writeMode=create"],
    why: "Of several writes of one path exactly one wins, also where all of them write the same; so of copies.",
    hint: HINT,
    run: equalCreates,
  },
  {
    id: "conc/equal-edits",
    rules: ["E7", "A7"],
    level: "safe",
    needs: [],
    why: "Of several equal edits each one that is acknowledged has been done.",
    hint: HINT,
    run: equalEdits,
  },
];
