import type { CaseContext } from "../../engine/case-context.js";
import { type Answered, hasFailed } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import type { Case } from "../case.js";
import { requireFeature } from "./feature.js";

const encoder = new TextEncoder();
const ROUNDS = 3;

const HINT =
  "Let the storage judge each condition when it stores the file: what was looked at before the batch began is no longer so.";

/** Batches of two files each, that want one file on the same condition: one of them gets it. */
async function raceOfBatches(
  context: CaseContext,
  clients: readonly GuardedBackend[],
  path: string,
  condition: object,
  loss: string,
): Promise<void> {
  const answers = await race(
    clients.map((client, n) => async () => {
      const batch = [
        [path, encoder.encode(`batch ${n}`), condition],
        [`${path}.own${n}`, encoder.encode("own")],
      ];
      const [stored] = (await client.call("uploadFiles", [batch])) as Answered[];
      return stored ?? {};
    }),
  );
  const winners = answers.flatMap((answer, n) => (hasFailed(answer) ? [] : [n]));
  const { check } = context;
  check.equal(winners.length, 1, `The number of batches that stored ${path}`, "T3");
  for (const answer of answers)
    if (hasFailed(answer) && answer.code !== undefined)
      check.equal(answer.code, loss, "The code of a file that came too late", "T3");
  await context.holds({ [path]: `batch ${winners[0]}` }, context.backend, "A7");
}

async function conditionsOfBatches(
  context: CaseContext,
  clients: readonly GuardedBackend[],
): Promise<void> {
  requireFeature(context, "conditionalUploads");
  for (const round of range(ROUNDS)) {
    const absent = { ifAbsent: true };
    await raceOfBatches(context, clients, `/new${round}.txt`, absent, "already_exists");
    if (!context.profile.versions) continue;
    const path = `/old${round}.txt`;
    await context.given({ [path]: "old" });
    const { version } = await context.backend.read(path);
    if (version !== undefined)
      await raceOfBatches(context, clients, path, { ifVersion: version }, "conflict");
  }
}

/** Races of uploads of several files each. */
export const batchRaces: readonly Case[] = [
  {
    id: "conc/batch-conditions",
    rules: ["T3", "A7", "W4", "W5"],
    level: "safe",
    needs: ["transfer"],
    why: "Of batches that want one file on the same condition exactly one stores it.",
    hint: HINT,
    run: (context) =>
      conditionsOfBatches(context, [context.backend, context.backend, context.backend]),
  },
  {
    id: "conc/batch-conditions-peers",
    rules: ["T3", "A7", "W4", "W5"],
    level: "safe",
    needs: ["transfer", "peer", "atomicity=clients"],
    why: "Of batches of two clients that want one file on the same condition exactly one stores it.",
    hint: HINT,
    run: async (context) => conditionsOfBatches(context, [context.backend, await context.peer()]),
  },
];
