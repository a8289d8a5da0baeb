// What of a package is published: its manifest names `dist`, which the compiler writes and everything here runs; a user gets
// `lib`, where each entry is one bundled module. Both hold the same paths, so that one can be had from the other.
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** Modules that are no entry but are started by their path, in a thread or a process of their own. */
const STARTED_BY_PATH = {
  "@fs/conformance": ["dist/cli/runner-process.js"],
  "@fs/disk": ["dist/search/search-worker.js"],
};

/** The manifest of a package's folder. */
export function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** What `exports` or `bin` say once published: `./dist/a.js` becomes `./lib/a.js`, deep inside too. */
export function asPublished(value) {
  if (typeof value === "string") return value.replace(/^\.\/dist\//, "./lib/");
  const parts = Object.entries(value).map(([key, part]) => [key, asPublished(part)]);
  return Object.fromEntries(parts);
}

function strings(value) {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : Object.values(value).flatMap(strings);
}

/** The compiled modules that become a file of their own, relative to the folder. */
export function entryModules(manifest) {
  const named = strings([manifest.exports, manifest.bin].filter(Boolean))
    .filter((path) => path.endsWith(".js"))
    .map((path) => path.replace("./", ""));
  return [...new Set([...named, ...(STARTED_BY_PATH[manifest.name] ?? [])])];
}

/** The declarations that a user's compiler reads: those of the entries, and all that they refer to; relative to the folder. */
export function declarationFiles(folder, manifest) {
  const found = new Set(
    strings(manifest.exports)
      .filter((path) => path.endsWith(".d.ts"))
      .map((path) => path.replace("./", "")),
  );
  // A set that grows is followed to its end.
  for (const file of found) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, target] of text.matchAll(/(?:from |import\(|import )"(\.[^"]+)\.js"/g)) {
      const path = relative(folder, resolve(folder, file, "..", `${target}.d.ts`));
      found.add(path.replaceAll("\\", "/"));
    }
  }
  return [...found];
}
