import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The version of this package. */
export function suiteVersion(): string {
  const manifest = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { version: string };
  return manifest.version;
}

/** What decides how a run ends: cases as data, the rules, and the source of everything that runs them. */
const PARTS = ["cases", "spec", "src"];

let digest: string | undefined;

/**
 * Twelve hex digits that change with the content of any case, rule or line of the suite: two reports with the same digest
 * measured the same things in the same way.
 */
export function suiteDigest(): string {
  digest ??= computed();
  return digest;
}

function computed(): string {
  // A published suite has no sources; it has what they came to when it was packed.
  const packed = new URL("../suite-digest.txt", import.meta.url);
  if (existsSync(packed)) return readFileSync(packed, "utf8").trim();
  const hash = createHash("sha256");
  for (const part of PARTS) {
    const folder = fileURLToPath(new URL(`../../${part}/`, import.meta.url));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
    for (const file of files) {
      const name = relative(folder, file).replaceAll("\\", "/");
      hash.update(`${part}/${name}\0`).update(readFileSync(file)).update("\0");
    }
  }
  return hash.digest("hex").slice(0, 12);
}
