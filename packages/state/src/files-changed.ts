import { modifiedAt, type FilesRecord, type StoredFile } from "./file-data.js";
import type { FilesUpdate } from "./operations.js";

/**
 * What turns one state of the files into another: files that are new or changed, and `null` for those that went. For tools
 * that run a subagent on a copy of the files and hand back what it did.
 *
 * @example
 * const { files } = await subagent.invoke({ messages, files: state.files });
 * return new Command({ update: { files: filesChanged(state.files, files) } });
 */
export function filesChanged(before: FilesRecord, after: FilesRecord): FilesUpdate {
  const update: FilesUpdate = {};
  for (const [path, file] of Object.entries(after)) {
    const old = before[path];
    if (old === undefined || !isSame(old, file)) update[path] = file;
  }
  for (const path of Object.keys(before)) if (after[path] === undefined) update[path] = null;
  return update;
}

function isSame(old: StoredFile, file: StoredFile): boolean {
  if (old === file) return true;
  if (modifiedAt(old) !== modifiedAt(file)) return false;
  return old.content === file.content || JSON.stringify(old) === JSON.stringify(file);
}
