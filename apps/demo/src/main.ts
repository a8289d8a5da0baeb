import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { checkRun } from "./check-run.js";
import { chooseModel } from "./choose-model.js";
import { chooseWorkspace } from "./choose-workspace.js";
import { commandLine, USAGE } from "./command-line.js";
import { htmlReport } from "./html-report.js";
import { picturedLines, terminalPicture } from "./picture.js";
import { proveClaims } from "./proofs.js";
import { embeddedPostgres } from "./reports.js";
import { runDemo } from "./run-demo.js";
import { ScriptedModel } from "./scripted-model.js";
import { REPORT } from "./survey.js";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const called = commandLine(process.argv.slice(2));
if (called.problem !== undefined) refuse(called.problem);
const chosen = await chooseWorkspace(called.directory, repository);
if (chosen.problem !== undefined) refuse(chosen.problem);

const printed: string[] = [];
const print = (line: string): void => {
  printed.push(...line.split("\n"));
  process.stdout.write(`${line}\n`);
};
const driver = await chooseModel(process.env);
print(`An agent, driven by ${driver.description}, over three stores under one tree:`);
print("  /            StateBackend       LangGraph state");
print(`  /workspace/  FilesystemBackend  ${shown(chosen.directory)}, read-only by rule`);
print("  /reports/    PostgresBackend    PostgreSQL in this process (PGlite)");

const postgres = await embeddedPostgres();
const places = { workspace: chosen.directory, reports: postgres.backend };
const run = await runDemo(places, driver, print);
const report = await postgres.stored(REPORT.replace("/reports", ""));
const exact = driver.model instanceof ScriptedModel;
const checked = await checkRun(run, { report, workspace: chosen.directory }, exact);
const folder = await mkdtemp(join(tmpdir(), "fs-demo-"));
const proofs = await proveClaims(folder, postgres.backend, print);
const claims = [...checked, ...proofs.claims];
await postgres.close();
await rm(folder, { recursive: true });

print("\nChecked:");
for (const { what, held } of claims) print(`  ${held ? "✓" : "✗"} ${what}`);
if (called.html !== undefined) {
  const tree = new Map([
    ["/", run.stateFiles],
    ["/workspace/", run.workspaceFiles],
    ["/reports/", report === undefined ? [] : [REPORT]],
  ]);
  const { race, battery } = proofs;
  const { description } = driver;
  const { messages } = run;
  await writeFile(
    called.html,
    htmlReport({ driver: description, messages, race, battery, claims, tree }),
  );
  process.stdout.write(`\nThe whole of it, with every answer: ${called.html}\n`);
}
if (called.svg !== undefined)
  await writeFile(called.svg, terminalPicture("npm run demo", picturedLines(printed)));
process.exitCode = claims.every(({ held }) => held) ? 0 : 1;

/** Short where it lies below the working directory. */
function shown(directory: string): string {
  const short = relative(process.cwd(), directory);
  if (short === "") return "this folder";
  return short.startsWith("..") || isAbsolute(short) ? directory : short;
}

function refuse(problem: string): never {
  process.stderr.write(`${problem} ${USAGE}\n`);
  process.exit(2);
}
