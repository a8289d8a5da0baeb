// Commits that are killed at every step: node packages/staging/bench/commit-kills.mjs [disk|postgres] [trials]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitTrials, planOf } from "../test/kills/commit-trial.mjs";
import { layersOf } from "../test/kills/storage.mjs";

/** Commits that one process makes side by side, and is killed in the middle of. */
const BATCH = 50;

const [kind = "disk", count = "1000"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "commit-kills-"));
const server =
  kind === "postgres" ? await (await import("@fs/test-servers")).startPostgres() : undefined;
const storage = server === undefined ? { kind } : { kind, url: server.info.url };
const totals = { trials: 0, killed: 0, "killed twice": 0, "beside a foreign editor": 0, wrong: 0 };
try {
  if (server !== undefined) {
    const layers = await layersOf(storage);
    await layers.open("setup", "base").setup();
    await layers.close();
  }
  const [alive] = await commitTrials(storage, [{ root: join(folder, "counted"), foreign: [] }]);
  if (alive.wrong.length > 0) throw new Error(alive.wrong.join("; "));
  console.log(kind, "a commit has", alive.steps, "steps");
  for (let from = 0; from < Number(count); from += BATCH) {
    const trials = Array.from({ length: Math.min(BATCH, Number(count) - from) }, (_, at) => ({
      root: join(folder, String(from + at)),
      ...planOf(from + at, alive.steps),
    }));
    const outcomes = await commitTrials(storage, trials);
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
      if (server === undefined) await rm(trial.root, { recursive: true });
    }
    if (totals.trials % 100 === 0) console.log(kind, totals);
  }
} finally {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(kind, totals);
if (totals.wrong > 0) process.exitCode = 1;
