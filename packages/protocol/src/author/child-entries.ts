import { prefixOf } from "../paths/segments.js";
import type { VolumeEntry } from "../spi/volume.js";

/**
 * Folds files at any depth below a directory into its immediate children, as a storage without directories needs it.
 *
 * @param files Files below `directory`, in any order.
 */
export function childEntries(directory: string, files: Iterable<VolumeEntry>): VolumeEntry[] {
  const prefix = prefixOf(directory);
  const children: VolumeEntry[] = [];
  const seen = new Set<string>();
  for (const file of files) {
    if (!file.path.startsWith(prefix)) continue;
    const slash = file.path.indexOf("/", prefix.length);
    if (slash === -1) {
      children.push(file);
      continue;
    }
    const path = file.path.slice(0, slash);
    if (seen.has(path)) continue;
    seen.add(path);
    children.push({ path, kind: "directory" });
  }
  return children;
}
