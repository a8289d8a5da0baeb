import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where `bwrap` may be beside the PATH. */
const USUAL = ["/usr/bin", "/usr/local/bin"];

/** The `bwrap` of this machine: the first on the PATH, else in a usual place. `undefined` where there is none. */
export function findBubblewrap(usual: readonly string[] = USUAL): string | undefined {
  if (process.platform !== "linux") return undefined;
  const directories = (process.env["PATH"] ?? "").split(delimiter).concat(usual);
  return directories
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, "bwrap"))
    .find(existsSync);
}
