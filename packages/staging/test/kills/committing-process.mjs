// Commits what is staged in several places, and is killed with each commit at a step of its own.
import { StagingBackend } from "@fs/staging";
import { workUntilKilled } from "../../../changes/test/kills/dying-process.mjs";
import { changeAsSomebodyElse, unconditional } from "../../../changes/test/kills/others.mjs";
import { inSteps, layersOf } from "./storage.mjs";

const tasks = JSON.parse(process.argv[2]);
const layers = await layersOf(tasks[0].storage);
const withForeign = tasks.map((task) => ({
  ...task,
  meanwhileAt: task.foreignAt,
  meanwhile: async () => {
    const base = layers.open(task.root, "base");
    for (const path of task.foreign) await changeAsSomebodyElse(base, path);
  },
}));
await workUntilKilled(withForeign, async ({ root, blind }, step) => {
  const base = inSteps(layers.open(root, "base"), step);
  const staged = new StagingBackend(blind ? unconditional(base) : base, {
    upper: inSteps(layers.open(root, "upper"), step),
    leaseMs: 60,
  });
  const report = await staged.commit();
  if (report.error !== undefined) throw new Error(`${report.code}: ${report.error}`);
});
await layers.close();
