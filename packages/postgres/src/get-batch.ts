import type { VolumeCall, VolumeFile } from "@fs/protocol/author";
import { fileColumns, fileOf } from "./file-row.js";
import type { FilesTable } from "./files-table.js";
import { pathKey } from "./path-key.js";

/** Paths per statement. */
const MANY = 1000;

/** Fetches many files, a thousand per statement; a statement that fails fails its own paths. */
export async function getBatch(
  files: FilesTable,
  paths: readonly string[],
  call: VolumeCall,
): Promise<ReadonlyArray<PromiseSettledResult<VolumeFile | undefined>>> {
  const keys = [...new Set(paths.map(pathKey))];
  const outcomes = new Map<string, PromiseSettledResult<VolumeFile | undefined>>();
  for (let from = 0; from < keys.length; from += MANY) {
    const slice = keys.slice(from, from + MANY);
    try {
      for (const [key, value] of await getSlice(files, slice, call))
        outcomes.set(key, { status: "fulfilled", value });
    } catch (reason) {
      for (const key of slice) outcomes.set(key, { status: "rejected", reason });
    }
  }
  return paths.map((path) => outcomes.get(pathKey(path)) ?? ABSENT);
}

const ABSENT: PromiseFulfilledResult<undefined> = { status: "fulfilled", value: undefined };

async function getSlice(
  files: FilesTable,
  keys: readonly string[],
  call: VolumeCall,
): Promise<Array<readonly [string, VolumeFile]>> {
  const rows = await files.database.read(
    `select path, ${fileColumns(files)} from ${files.names.table}
      where namespace = $1 and path = any (string_to_array($2, E'\\n'))`,
    [files.namespace, keys.join("\n")],
    call,
  );
  return rows.map((row) => [row["path"] ?? "", fileOf(row)] as const);
}
