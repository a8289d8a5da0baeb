import type { FileData } from "@fs/protocol";
import { isRecord } from "./schema.js";

/** Changes of files by path, for the state of a graph; `null` removes. */
export type FilesUpdate = Readonly<Record<string, FileData | null>>;

/** What a mutation of a backend made with a runtime left for the graph's state; nothing on any other backend. */
export function carriedUpdate(result: object): { readonly filesUpdate?: FilesUpdate } {
  const filesUpdate: unknown = Reflect.get(result, "filesUpdate");
  return isFilesUpdate(filesUpdate) ? { filesUpdate } : {};
}

function isFilesUpdate(value: unknown): value is FilesUpdate {
  return isRecord(value) && Object.values(value).every((file) => file === null || isRecord(file));
}
