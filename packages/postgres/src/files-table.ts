import type { Database } from "./database.js";
import type { TableNames } from "./table-names.js";

/** Where the files of one namespace are. */
export interface FilesTable {
  readonly database: Database;
  readonly names: TableNames;
  /** The key of the namespace, the first value of every statement. */
  readonly namespace: string;
  /** Bytes that a file may have. */
  readonly maxFileBytes: number;
}
