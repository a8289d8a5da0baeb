// Edits and takes a turn back, and is killed at a step of its own.
import { FilesystemBackend } from "@fs/disk";
import { fileJournal, withJournal } from "@fs/journal";
import { interceptBackend, runAsCaller } from "@fs/protocol";

const { root, killAt } = JSON.parse(process.argv[2]);
let steps = 0;
const step = () => {
  steps += 1;
  if (steps === killAt) process.kill(process.pid, "SIGKILL");
};
const killed = (backend) =>
  interceptBackend(backend, async (_, proceed) => {
    step();
    const answer = await proceed();
    step();
    return answer;
  });
const open = (layer) => killed(new FilesystemBackend({ rootDir: `${root}/${layer}` }));
const files = withJournal(open("base"), { store: fileJournal(open("journal")) });
await runAsCaller({ turnId: "2" }, async () => {
  await files.edit("/a", "turn 1", "turn 2");
  await files.write("/new", "turn 2\n");
  await files.delete("/gone");
});
const undone = await files.journal.undo({ turnId: "2" });
if (undone.error !== undefined) throw new Error(`${undone.code}: ${undone.error}`);
process.stdout.write(String(steps));
