import { existsSync } from "node:fs";
import { extname, relative, resolve } from "node:path";
import { canImport, isLoadedAsModule, TYPE_MODULE_HINT } from "./module-kind.js";
import { HARNESS_TEMPLATE, TYPED_HARNESS_TEMPLATE, WORKFLOW_TEMPLATE } from "./templates.js";
import { UsageError } from "./usage-error.js";
import { writeOutput } from "./write-output.js";

const WORKFLOW = ".github/workflows/conformance.yml";
const TYPESCRIPT = [".ts", ".mts"];

/** Writes a harness to begin with, and a workflow that runs it. Changes nothing that is there unless `force`. */
export function initCommand(file: string, force: boolean): void {
  const path = resolve(file);
  const isTyped = TYPESCRIPT.includes(extname(path));
  if (!isTyped && ![".mjs", ".js"].includes(extname(path)))
    throw new UsageError(`A harness is a .mjs, .js, .mts or .ts file, not '${file}'.`);
  if (!isTyped && !isLoadedAsModule(path))
    throw new UsageError(`Node would load '${file}' as CommonJS. ${TYPE_MODULE_HINT}`);
  if (existsSync(path) && !force)
    throw new UsageError(`${file} is there already. --force overwrites.`);
  // The workflow runs in the folder where the command was given.
  const name = relative(process.cwd(), path).replaceAll("\\", "/");
  const keepsWorkflow = existsSync(WORKFLOW) && !force;
  const template = isTyped ? TYPED_HARNESS_TEMPLATE : HARNESS_TEMPLATE;
  const hasExpressions = canImport("re2js", path);
  const harness = template.replaceAll("FILE", name);
  // What it begins with must pass as it is: the memory backend has expressions only with that package.
  writeOutput(
    file,
    hasExpressions ? harness : harness.replace("// regex: false,", "regex: false,"),
  );
  if (!keepsWorkflow) writeOutput(WORKFLOW, WORKFLOW_TEMPLATE.replaceAll("FILE", name));
  const lines = [
    keepsWorkflow
      ? `Wrote ${name}. ${WORKFLOW} was there already and is as it was.`
      : `Wrote ${name} and ${WORKFLOW}.`,
    ...(canImport("@fs/protocol", path)
      ? []
      : ["Install what it imports: npm install --save-dev @fs/protocol"]),
    isTyped
      ? `Compile it, or run it with NODE_OPTIONS='--import tsx' (npm install --save-dev tsx): npx fs-conformance ./${name}`
      : `It runs as it is: npx fs-conformance ./${name}`,
    ...(hasExpressions
      ? []
      : ["It says regex: false, because the optional package re2js is not installed here."]),
    "Then import your own backend in it.",
  ];
  console.log(lines.join("\n"));
}
