import { build } from "vitepress";
import { assemblePages } from "./assemble-pages.js";
import { pageWeights, siteProblems } from "./check-site.js";
import { writeLlms } from "./llms.js";
import { writeReference } from "./reference.js";
import { app, siteFolder } from "./repository.js";

// Builds the site into `.build/site`, without the network. `--no-reference` leaves the reference out, for a quick look.
await assemblePages();
if (!process.argv.includes("--no-reference")) await writeReference();
await build(app);
await writeLlms();
const problems = await siteProblems(siteFolder);
for (const problem of problems) process.stderr.write(`${problem}\n`);
const weights = await pageWeights(siteFolder);
process.stdout.write(`${weights.length} pages; the heaviest:\n`);
for (const { file, bytes } of weights.slice(0, 3))
  process.stdout.write(`  ${file} ${Math.round(bytes / 1000)} KB\n`);
if (problems.length > 0) process.exitCode = 1;
