// What was found out about each fault, kept in the repository so that anyone can go on: `verdicts/<package>.json`.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("verdicts/", import.meta.url));

export function keyOf({ module, digest, start, end, text }) {
  return [module, digest, start, end, text].join();
}

/** Where the verdicts of a package are kept. */
export function fileOf(name) {
  return `${folder}${name}.json`;
}

/** What earlier runs found, by key; verdicts on modules that have changed since are left out. */
export function verdictsKept(name, possible) {
  if (!existsSync(fileOf(name))) return new Map();
  const keys = new Set(possible.map(keyOf));
  const verdicts = JSON.parse(readFileSync(fileOf(name), "utf8"));
  return new Map(
    verdicts
      .map((verdict) => ({ package: name, ...verdict }))
      .filter((verdict) => keys.has(keyOf(verdict)))
      .map((verdict) => [keyOf(verdict), verdict]),
  );
}

/** The verdicts in the order of the code. */
export function inOrder(verdicts, possible) {
  return possible
    .map((fault) => verdicts.get(keyOf(fault)))
    .filter((verdict) => verdict !== undefined);
}

export function keep(name, verdicts) {
  mkdirSync(folder, { recursive: true });
  const lines = verdicts.map((verdict) => JSON.stringify({ ...verdict, package: undefined }));
  // Whole or not at all: a run is often ended from outside.
  const unfinished = `${fileOf(name)}.unfinished`;
  writeFileSync(unfinished, `[\n${lines.join(",\n")}\n]\n`);
  renameSync(unfinished, fileOf(name));
}
