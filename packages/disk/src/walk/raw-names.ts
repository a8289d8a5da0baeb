import { readdirSync, type Dirent } from "node:fs";
import type { Directory } from "../tree/tree.js";

/** A name as the disk has it: any bytes, UTF-8 or not. */
export interface RawName {
  readonly entry: Dirent<Buffer>;
  /** A host path of the name. Valid while its directory is open. */
  readonly host: Buffer;
  /** The name as text; `undefined` where its bytes are no UTF-8, so that no path can reach it. */
  readonly text: string | undefined;
}

/** Everything in a directory, also what no path can name. For removals, which must leave nothing behind. */
export function rawNamesIn(directory: Directory): RawName[] {
  const entries = readdirSync(directory.self, { withFileTypes: true, encoding: "buffer" });
  return entries.map((entry) => {
    const text = entry.name.toString("utf8");
    const exact = Buffer.from(text).equals(entry.name);
    return { entry, host: directory.atBytes(entry.name), text: exact ? text : undefined };
  });
}
