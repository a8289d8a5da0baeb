// Commits that are killed at every step: node packages/staging/bench/commit-kills.mjs [disk|postgres] [trials]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitTrial, planOf } from "../test/kills/commit-trial.mjs";
import { openLayer } from "../test/kills/storage.mjs";

const [kind = "disk", count = "1000"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "commit-kills-"));
const server =
  kind === "postgres" ? await (await import("@fs/test-servers")).startPostgres() : undefined;
const whereOf = (n) =>
  server === undefined
    ? { kind: "disk", root: join(folder, String(n)) }
    : { kind: "postgres", url: server.info.url, root: `trial ${n}` };
const totals = { trials: 0, killed: 0, twice: 0, beside: 0, wrong: 0 };
try {
  if (server !== undefined) {
    const first = openLayer(whereOf(0), "setup");
    await first.setup();
    await first.close();
  }
  let next = 0;
  const worker = async () => {
    while (next < Number(count)) {
      const n = next++;
      const plan = planOf(n);
      const { killed, wrong } = await commitTrial(whereOf(n), plan);
      totals.trials += 1;
      if (killed) totals.killed += 1;
      if (plan.again !== undefined) totals.twice += 1;
      if (plan.foreign.length > 0) totals.beside += 1;
      if (wrong.length > 0) {
        totals.wrong += 1;
        console.error(n, plan, wrong);
      }
      if (totals.trials % 50 === 0) console.log(kind, totals);
      if (server === undefined) await rm(join(folder, String(n)), { recursive: true });
    }
  };
  await Promise.all([worker(), worker()]);
} finally {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(kind, totals);
if (totals.wrong > 0) process.exitCode = 1;
