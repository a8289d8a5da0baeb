// Tuesday: a person approves the documentation, looks at the rest, and takes the turn back.
import { runAsCaller } from "@fs/protocol";
import { openProject, statuses } from "./project.mjs";

const { files, staged } = openProject(process.argv[2]);
await runAsCaller({ actor: "ann", turnId: "7" }, async () => {
  console.log("commit docs:", statuses(await staged.commit({ only: "/docs/**" })));
  console.log("commit rest:", statuses(await staged.commit()));
});
for (const { path, status, text } of (await staged.rebase()).paths)
  console.log(`${path} ${status}:\n${text}`);
console.log("undo:", statuses(await files.journal.undo({ turnId: "7" })));
