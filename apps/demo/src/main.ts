import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { checkRun } from "./check-run.js";
import { chooseModel } from "./choose-model.js";
import { runDemo } from "./run-demo.js";
import { ScriptedModel } from "./scripted-model.js";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const places = {
  workspace: await realpath(resolve(process.argv[2] ?? repository)),
  out: await mkdtemp(join(tmpdir(), "fs-demo-")),
};
const driver = await chooseModel(process.env);
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

print(`An agent, driven by ${driver.description}, over three mounts:`);
print("   /            StateBackend       LangGraph state");
print(`   /workspace/  FilesystemBackend  ${places.workspace}`);
print(`   /out/        FilesystemBackend  ${places.out}`);

const run = await runDemo(places, driver, print);
const claims = await checkRun(run, places, driver.model instanceof ScriptedModel);

print("\nWhat each mount holds now:");
print(`   /            ${run.stateFiles.join(", ") || "nothing"}`);
print(`   /workspace/  ${run.workspaceFiles} files, untouched`);
print(`   /out/        ${join(places.out, "report.md")}`);
print("\nChecked:");
for (const { what, held } of claims) print(`   ${held ? "✓" : "✗"} ${what}`);
process.exitCode = claims.every(({ held }) => held) ? 0 : 1;
