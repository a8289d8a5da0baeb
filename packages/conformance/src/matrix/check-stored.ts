import type { Checker } from "../engine/checker.js";
import { hasFailed } from "../engine/checker.js";
import type { Observation } from "../eyes/observe.js";
import type { Tree } from "../eyes/tree.js";

/** F3: a change that names the version and the size it stored names those that are there afterwards. */
export function checkStored(
  check: Checker,
  result: Readonly<Record<string, unknown>>,
  { before, after, seen }: { before: Tree; after: Tree; seen: Observation },
  what: string,
): void {
  if (hasFailed(result)) return;
  const [stored, ...others] = [...after].filter(([path, bytes]) => before.get(path) !== bytes);
  if (stored === undefined || others.length > 0) return;
  const [path, bytes] = stored;
  const { version, size } = result;
  const shown = seen.read.get(path)?.["version"];
  if (version !== undefined && shown !== undefined)
    check.equal(version, shown, `The version that ${what} answers`, "F3");
  if (size !== undefined) check.equal(size, bytes.length, `The size that ${what} answers`, "F3");
}
