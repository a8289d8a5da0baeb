/** A project on disk that may be read and changed only where a rule says so, beside drafts in the thread's state. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { createFilesystemMiddleware } from "@fs/middleware";
import { CompositeBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { createAgent } from "langchain";
import { edit, lastAnswers, ls, read, turns, write } from "./scripted-model.js";

const rootDir = await mkdtemp(join(tmpdir(), "project-"));
await mkdir(join(rootDir, "docs"));
await writeFile(join(rootDir, "docs", "index.md"), "# Tiltle\n");
await writeFile(join(rootDir, "secrets.env"), "KEY=1\n");

const agent = createAgent({
  model: turns(
    [
      write("/draft.md", "a draft"),
      ls("/project"),
      read("/project/secrets.env"),
      write("/project/main.ts", "export {};"),
      read("/project/docs/index.md"),
    ],
    [edit("/project/docs/index.md", "Tiltle", "Title")],
  ),
  middleware: [
    createFilesystemMiddleware({
      backend: new CompositeBackend(new StateBackend(), {
        "/project/": new FilesystemBackend({ rootDir }),
      }),
      permissions: [
        { operations: ["read", "write"], paths: ["/project/**/*.env"], mode: "deny" },
        { operations: ["write"], paths: ["/project/docs/**"], mode: "allow" },
        { operations: ["write"], paths: ["/project/**"], mode: "deny" },
      ],
    }),
  ],
});

const first = await agent.invoke({ messages: [{ role: "user", content: "Look around." }] });
for (const answer of lastAnswers(first.messages)) console.log(answer);
const second = await agent.invoke({
  messages: [...first.messages, { role: "user", content: "Mend the title." }],
  files: first.files,
});
for (const answer of lastAnswers(second.messages)) console.log(answer);
console.log(`in the state: ${Object.keys(second.files).join()}`);
console.log(`on disk: ${(await readFile(join(rootDir, "docs", "index.md"), "utf8")).trim()}`);
await rm(rootDir, { recursive: true });
