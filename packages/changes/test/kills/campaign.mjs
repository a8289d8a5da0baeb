// Trials in which something is killed at every step, many of them.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Trials that one process makes side by side, and is killed in the middle of. */
const BATCH = 50;

/**
 * Runs trials on the storage and in the number that the command line names, by default 1,000 on disk. Prints what became of
 * them; the program exits with 1 when one of them ended wrongly.
 *
 * @param {string} what What is killed.
 * @param {import("./trial.mjs").RunTrials} trialsOn
 * @param {import("./trial.mjs").PlanOf} planOf
 * @param {(url: string) => Promise<void>} setUp Makes the tables of a new PostgreSQL server.
 */
export async function runCampaign(what, trialsOn, planOf, setUp) {
  const [kind = "disk", count = "1000"] = process.argv.slice(2);
  const folder = await mkdtemp(join(tmpdir(), "kills-"));
  const server =
    kind === "postgres" ? await (await import("@fs/test-servers")).startPostgres() : undefined;
  const storage = server === undefined ? { kind } : { kind, url: server.info.url };
  const placeOf = (name) => ({ root: join(folder, name), folder: join(folder, name) });
  const totals = {
    trials: 0,
    killed: 0,
    "killed twice": 0,
    "beside a foreign editor": 0,
    wrong: 0,
  };
  try {
    if (server !== undefined) await setUp(server.info.url);
    const [alive] = await trialsOn(storage, [{ ...placeOf("counted"), foreign: [] }]);
    if (alive.wrong.length > 0) throw new Error(alive.wrong.join("; "));
    console.log(kind, what, "has", alive.steps, "steps");
    for (let from = 0; from < Number(count); from += BATCH) {
      const trials = Array.from({ length: Math.min(BATCH, Number(count) - from) }, (_, at) => ({
        ...placeOf(String(from + at)),
        ...planOf(from + at, alive.steps),
      }));
      const outcomes = await trialsOn(storage, trials);
      for (const [index, { kills, wrong }] of outcomes.entries()) {
        const trial = trials[index];
        totals.trials += 1;
        if (kills > 0) totals.killed += 1;
        if (kills > 1) totals["killed twice"] += 1;
        if (trial.foreign.length > 0) totals["beside a foreign editor"] += 1;
        if (wrong.length > 0) {
          totals.wrong += 1;
          console.error(trial, wrong);
        }
        await rm(trial.folder, { recursive: true, force: true });
      }
      if (totals.trials % 100 === 0) console.log(kind, totals);
    }
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
  console.log(kind, totals);
  if (totals.wrong > 0) process.exitCode = 1;
}
