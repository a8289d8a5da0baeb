// Monday: an agent proposes changes. Nothing in the project changes.
import { openProject } from "./project.mjs";

const { staged } = openProject(process.argv[2]);
await staged.edit("/docs/guide.md", "npm i", "npm install");
await staged.edit("/src/greet.ts", '"Hello"', '"Hello, world"');
await staged.write("/docs/faq.md", "# FAQ\n");
process.stdout.write((await staged.diff()).patch);
