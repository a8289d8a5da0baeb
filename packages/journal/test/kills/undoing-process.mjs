// Edits and takes a turn back, or takes it back alone, in several places, and is killed with each at a step of its own.
import { appendFileSync } from "node:fs";
import { currentCaller, interceptBackend, runAsCaller } from "@fs/protocol";
import { workUntilKilled } from "../../../changes/test/kills/dying-process.mjs";
import { changeAsSomebodyElse, unconditional } from "../../../changes/test/kills/others.mjs";
import { journalledIn } from "./storage.mjs";

const tasks = JSON.parse(process.argv[2]);
const places = await journalledIn(tasks[0].storage);

/** What the base was really asked to do, and what it answered: what the journal says is compared with it. */
function note(log, phase, { method, accesses }) {
  const { turnId } = currentCaller();
  if (!["uploadFiles", "write", "edit", "delete"].includes(method)) return;
  for (const { path } of accesses)
    appendFileSync(log, `${JSON.stringify({ phase, turnId, path })}\n`);
}

function inSteps({ log, blind }, step) {
  return (source, layer) => {
    if (layer === "statements")
      return {
        query: async (query) => {
          await step();
          const answer = await source.query(query);
          await step();
          return answer;
        },
      };
    const stepping = interceptBackend(source, async (call, proceed) => {
      await step();
      if (layer === "base") note(log, "asked", call);
      const answer = await proceed();
      const refused = Array.isArray(answer) ? answer.some(({ error }) => error) : answer.error;
      if (layer === "base") note(log, refused ? "refused" : "made", call);
      await step();
      return answer;
    });
    return blind && layer === "base" ? unconditional(stepping) : stepping;
  };
}

const withForeign = tasks.map((task) => ({
  ...task,
  meanwhileAt: task.foreignAt,
  meanwhile: async () => {
    const { base } = places.open(task.root);
    for (const path of task.foreign) await changeAsSomebodyElse(base, path);
  },
}));
await workUntilKilled(withForeign, async (task, step) => {
  const { files } = places.open(task.root, inSteps(task, step));
  if (task.turn !== undefined)
    await runAsCaller({ turnId: task.turn }, async () => {
      await files.edit("/a", "turn 1", "turn 2");
      await files.write("/new", "turn 2\n");
      await files.delete("/gone");
    });
  const undone = await runAsCaller({ turnId: task.undo }, () =>
    files.journal.undo({ turnId: "2" }),
  );
  if (undone.error !== undefined && undone.code !== "not_found")
    throw new Error(`${undone.code}: ${undone.error}`);
});
await places.close();
