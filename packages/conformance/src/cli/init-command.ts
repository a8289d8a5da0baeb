import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { HARNESS_TEMPLATE, WORKFLOW_TEMPLATE } from "./templates.js";
import { UsageError } from "./usage-error.js";
import { writeOutput } from "./write-output.js";

const WORKFLOW = ".github/workflows/conformance.yml";

/** Writes a harness to begin with, and a workflow that runs it. Changes nothing that is there unless `force`. */
export function initCommand(file: string, force: boolean): void {
  // The workflow runs in the folder where the command was given.
  const name = relative(process.cwd(), resolve(file)).replaceAll("\\", "/");
  const files = [
    [file, HARNESS_TEMPLATE],
    [WORKFLOW, WORKFLOW_TEMPLATE],
  ] as const;
  const there = files.map(([path]) => path).filter((path) => existsSync(path));
  if (there.length > 0 && !force)
    throw new UsageError(`${there.join(" and ")} is there already. --force overwrites.`);
  for (const [path, template] of files) writeOutput(path, template.replaceAll("FILE", name));
  console.log(
    `Wrote ${name} and ${WORKFLOW}.\nIt runs as it is: npx fs-conformance ./${name}\nThen import your own backend in it.`,
  );
}
