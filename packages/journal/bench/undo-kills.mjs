// Turns and their undo, killed at every step: node packages/journal/bench/undo-kills.mjs [disk|postgres] [trials]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planOf, undoTrials } from "../test/kills/undo-trial.mjs";

/** Turns that one process makes and takes back side by side, and is killed in the middle of. */
const BATCH = 50;

const [kind = "disk", count = "1000"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "undo-kills-"));
const server = kind === "postgres" ? await startServer() : undefined;
const storage = server === undefined ? { kind } : { kind, url: server.info.url };
const placeOf = (n) => ({ root: join(folder, String(n)), folder: join(folder, String(n)) });
const totals = { trials: 0, killed: 0, "killed twice": 0, "beside a foreign editor": 0, wrong: 0 };
try {
  const [alive] = await undoTrials(storage, [placeOf("counted")]);
  if (alive.wrong.length > 0) throw new Error(alive.wrong.join("; "));
  console.log(kind, "a turn and its undo have", alive.steps, "steps");
  for (let from = 0; from < Number(count); from += BATCH) {
    const trials = Array.from({ length: Math.min(BATCH, Number(count) - from) }, (_, at) => ({
      ...placeOf(from + at),
      ...planOf(from + at, alive.steps),
    }));
    const outcomes = await undoTrials(storage, trials);
    for (const [index, { kills, wrong }] of outcomes.entries()) {
      const trial = trials[index];
      totals.trials += 1;
      if (kills > 0) totals.killed += 1;
      if (kills > 1) totals["killed twice"] += 1;
      if (trial.foreign !== undefined) totals["beside a foreign editor"] += 1;
      if (wrong.length > 0) {
        totals.wrong += 1;
        console.error(trial, wrong);
      }
      await rm(trial.folder, { recursive: true });
    }
    if (totals.trials % 100 === 0) console.log(kind, totals);
  }
} finally {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(kind, totals);
if (totals.wrong > 0) process.exitCode = 1;

/** A server of its own, with the tables of files and of the journal. */
async function startServer() {
  const { startPostgres } = await import("@fs/test-servers");
  const { PostgresBackend } = await import("@fs/postgres");
  const { postgresJournal } = await import("@fs/journal/postgres");
  const { default: pg } = await import("pg");
  const started = await startPostgres();
  const pool = new pg.Pool({ connectionString: started.info.url });
  await new PostgresBackend({ client: pool }).setup();
  await postgresJournal({ client: pool }).setup();
  await pool.end();
  return started;
}
