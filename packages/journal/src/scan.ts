import { type Change, type FileAccess, kindOf, type Side } from "@fs/changes";
import { comparePaths } from "@fs/protocol/author";
import { CLOSED, contentsOf, lookAtAll, stateOf } from "./seen-state.js";

/** The version of every file; what a version holds is not read. */
export type TreeVersions = ReadonlyMap<string, Side>;

/** The versions of a tree: one listing, and one look at each file whose version the listing does not have. */
export async function treeVersions(files: FileAccess, signal?: AbortSignal): Promise<TreeVersions> {
  const found = new Map<string, Side>();
  for (const { path, size, version } of await files.files("/", undefined, signal)) {
    const facts = version === undefined ? await files.look(path, signal) : { size, version };
    if (facts?.version !== undefined)
      found.set(path, { size: facts.size ?? 0, version: facts.version });
  }
  return found;
}

/** What has changed since: each file before by its version alone, and after with its content. */
export async function changesSince(
  files: FileAccess,
  before: TreeVersions,
): Promise<{ changes: Change[]; contents: Uint8Array[] }> {
  const now = await treeVersions(files);
  const paths = [...new Set([...before.keys(), ...now.keys()])]
    .filter((path) => before.get(path)?.version !== now.get(path)?.version)
    .toSorted(comparePaths);
  const read = await lookAtAll(files, paths);
  const changes = paths.map((path, index): Change => {
    const file = read[index];
    const after = file === CLOSED ? (now.get(path) ?? null) : stateOf(file);
    return { path, before: before.get(path) ?? null, after };
  });
  return {
    changes: changes.filter((change) => kindOf(change) !== "none"),
    contents: contentsOf(read),
  };
}
