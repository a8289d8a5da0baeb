import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { allCases } from "./catalogue.js";

/** The version of this package. */
export function suiteVersion(): string {
  const manifest = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { version: string };
  return manifest.version;
}

/** Twelve hex digits that change with the set of cases: two reports with the same digest measured the same things. */
export function suiteDigest(): string {
  const hash = createHash("sha256");
  for (const { id, rules, level, needs, why } of allCases())
    hash.update(JSON.stringify([id, rules, level, needs, why]));
  return hash.digest("hex").slice(0, 12);
}
