import { realpathSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { output } from "./tarballs.js";
import { runtimeDependencies, workspaceClosure, type WorkspacePackage } from "./workspace.js";

// Modules are seen by a hook, and those that CommonJS loads by itself are in its cache at the end.
const HOOKS = `
import { writeSync } from "node:fs";
export async function load(url, context, next) {
  if (url.startsWith("file:")) writeSync(3, url + "\\n");
  return next(url, context);
}`;

const OBSERVER = `
import { createRequire, register } from "node:module";
import { writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
register("data:text/javascript," + encodeURIComponent(${JSON.stringify(HOOKS)}));
process.on("exit", () => {
  for (const file of Object.keys(createRequire(import.meta.url).cache)) writeSync(3, pathToFileURL(file).href + "\\n");
});`;

/**
 * The files that a program loads from start to end, sorted, each as `name of the package/path in it`; the program's own are
 * left out.
 *
 * @param args What follows `node`: a script and its arguments, or `--input-type=module -e …`.
 */
export async function loadedFiles(project: string, args: readonly string[]): Promise<string[]> {
  const observer = join(project, "observer.mjs");
  const seen = join(project, "loaded.txt");
  await writeFile(observer, OBSERVER);
  // File descriptor 3 takes what the observer says, so that it is not mixed with what the program prints.
  const command = `exec "$0" --import "$OBSERVER" "$@" 3>loaded.txt`;
  const env = { OBSERVER: pathToFileURL(observer).href };
  await output("sh", ["-c", command, process.execPath, ...args], { cwd: project, env });
  const urls = new Set((await readFile(seen, "utf8")).split("\n").filter(Boolean));
  const packages = realpathSync(project) + sep;
  return [...urls]
    .map((url) => new URL(url).pathname)
    .filter((path) => path.includes("/node_modules/"))
    .map((path) => (path.startsWith(packages) ? path.slice(packages.length) : path))
    .map((path) => path.split("node_modules/").at(-1) ?? path)
    .toSorted();
}

/** The packages that files of {@link loadedFiles} belong to. */
export function packagesOf(files: readonly string[]): ReadonlySet<string> {
  return new Set(files.map((file) => /^(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file));
}

/** What a package and those of the workspace below it ask for by name, peers included; sorted. */
export function askedPackages(pkg: WorkspacePackage, all: readonly WorkspacePackage[]): string[] {
  const asked = workspaceClosure(pkg, all).flatMap(({ manifest }) => [
    ...runtimeDependencies(manifest),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  return [...new Set(asked)].toSorted();
}
