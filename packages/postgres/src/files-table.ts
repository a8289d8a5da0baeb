import type { Database } from "./database.js";
import type { TableNames } from "./table-names.js";

/** Where the files of one namespace are. */
export interface FilesTable {
  readonly database: Database;
  readonly names: TableNames;
  /** The key of the namespace, the first value of every statement. */
  readonly namespace: string;
  /** The SQL for a text column such that its value arrives whole, whatever the driver. */
  text(column: string): string;
}
