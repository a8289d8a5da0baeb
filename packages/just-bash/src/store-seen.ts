import { errnoOf, type NodeFilesystem } from "@fs/node";

/**
 * Stores a file, as `sed -i` does it, only over the version that the script has read. Where a backend knows no conditions,
 * there can be none.
 *
 * @param versions What the script has read and written. A redirect takes its file out, as it replaces whatever is there.
 */
export async function storeSeen(
  node: NodeFilesystem,
  path: string,
  bytes: Uint8Array,
  versions: Map<string, string> | undefined,
): Promise<void> {
  const ifVersion = versions?.get(path);
  const condition = ifVersion === undefined ? {} : { ifVersion };
  const stored = await node.store(path, bytes, condition).catch((error: unknown) => {
    if (ifVersion === undefined || errnoOf(error) !== "ENOTSUP") throw error;
    return node.store(path, bytes);
  });
  if (stored.version === undefined) versions?.delete(path);
  else versions?.set(path, stored.version);
}
