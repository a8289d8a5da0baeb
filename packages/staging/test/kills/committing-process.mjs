// Commits what is staged, and is killed at a step of its own.
import { interceptBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { killedAt, openLayer } from "./storage.mjs";

const { where, killAt } = JSON.parse(process.argv[2]);
const counter = { steps: 0, killAt };
const [base, upper] = ["base", "upper"].map((layer) => openLayer(where, layer));
const staged = new StagingBackend(killedAt(base, counter, interceptBackend), {
  upper: killedAt(upper, counter, interceptBackend),
  leaseMs: 60,
});
const report = await staged.commit();
if (report.error !== undefined) throw new Error(`${report.code}: ${report.error}`);
process.stdout.write(String(counter.steps));
await Promise.all([base, upper].map((backend) => backend.close?.()));
