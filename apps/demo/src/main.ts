import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkRun } from "./check-run.js";
import { chooseModel } from "./choose-model.js";
import { chooseWorkspace } from "./choose-workspace.js";
import { proveClaims } from "./proofs.js";
import { runDemo } from "./run-demo.js";
import { ScriptedModel } from "./scripted-model.js";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const chosen = await chooseWorkspace(process.argv[2], repository);
if (chosen.problem !== undefined) {
  process.stderr.write(`${chosen.problem} Call it as: npm run demo -- DIR\n`);
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), "fs-demo-"));
const places = { workspace: chosen.directory, out: join(folder, "out") };
const proofs = join(folder, "proofs");
await Promise.all([mkdir(places.out), mkdir(proofs)]);
const driver = await chooseModel(process.env);
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

print(`An agent, driven by ${driver.description}, over three mounts:`);
print("   /            StateBackend       LangGraph state");
print(`   /workspace/  FilesystemBackend  ${places.workspace}`);
print(`   /out/        FilesystemBackend  ${places.out}`);

const run = await runDemo(places, driver, print);
const claims = [
  ...(await checkRun(run, places, driver.model instanceof ScriptedModel)),
  ...(await proveClaims(proofs, print)),
];

print("\nWhat each mount holds now:");
print(`   /            ${run.stateFiles.join(", ") || "nothing"}`);
print(`   /workspace/  ${run.workspaceFiles} files, untouched`);
print(`   /out/        ${join(places.out, "report.md")}`);
print("\nChecked:");
for (const { what, held } of claims) print(`   ${held ? "✓" : "✗"} ${what}`);
process.exitCode = claims.every(({ held }) => held) ? 0 : 1;
