// Runs before a package is packed, in its folder: a tarball holds what was compiled, so a folder that was
// not compiled, or holds what no source makes any more, is refused. `--remove-stale` removes the latter instead.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

const COMPILED = [".js", ".js.map", ".d.ts", ".d.ts.map"];

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

/**
 * What the compiled folder of a package lacks, and what it holds too much, relative to `dist`.
 *
 * @param {string} folder The folder of the package.
 * @returns {{ missing: string[], stale: string[] }}
 */
export function compiledFiles(folder) {
  const modules = filesBelow(join(folder, "src"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => file.slice(0, -".ts".length));
  const wanted = new Set(modules.flatMap((name) => COMPILED.map((ending) => name + ending)));
  const present = filesBelow(join(folder, "dist"));
  return {
    missing: [...wanted].filter((file) => !present.includes(file)).toSorted(),
    stale: present.filter((file) => !wanted.has(file)).toSorted(),
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const removes = process.argv[2] === "--remove-stale";
  const { missing, stale } = compiledFiles(process.cwd());
  if (removes) {
    for (const file of stale) rmSync(join("dist", file));
    process.exit(0);
  }
  const advice = "Run `npm run clean`, then `node tools/bootstrap/pnpm.mjs build`, and pack again.";
  if (missing.length > 0 || stale.length > 0) {
    const first = missing[0] ?? stale[0];
    const what = missing.length > 0 ? "is not compiled" : "has no source any more";
    console.error(`dist/${first} ${what} (${missing.length + stale.length} such files). ${advice}`);
    process.exit(1);
  }
}
