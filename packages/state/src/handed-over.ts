import type { FilesRecord } from "./file-data.js";

const records = new WeakSet<FilesRecord>();

/** Notes that a graph was given these files, or files they were made from, as a record. */
export function markHandedOver(record: FilesRecord): void {
  records.add(record);
}

/** Returns whether the files go back to a record from outside their graph, such as those of the graph around it. */
export function isHandedOver(record: FilesRecord): boolean {
  return records.has(record);
}
