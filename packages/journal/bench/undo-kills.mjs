// Turns and their undo, killed at every step: node packages/journal/bench/undo-kills.mjs [trials]
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planOf, undoTrial } from "../test/kills/undo-trial.mjs";

const [count = "1000"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "undo-kills-"));
const totals = { trials: 0, killed: 0, beside: 0, wrong: 0 };
let next = 0;
const worker = async () => {
  while (next < Number(count)) {
    const n = next++;
    const plan = planOf(n);
    const { killed, wrong } = await undoTrial(join(folder, String(n)), plan);
    totals.trials += 1;
    if (killed) totals.killed += 1;
    if (plan.foreign !== undefined) totals.beside += 1;
    if (wrong.length > 0) {
      totals.wrong += 1;
      console.error(n, plan, wrong);
    }
    if (totals.trials % 10 === 0) console.log(totals);
  }
};
try {
  await Promise.all([worker(), worker()]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(totals);
if (totals.wrong > 0) process.exitCode = 1;
