import {
  type PutCondition,
  type RemoveCondition,
  type Volume,
  type VolumeCall,
  type VolumeEntry,
  VolumeError,
} from "@fs/protocol/author";
import { editText } from "./edit-text.js";
import { fileColumns, fileOf, isoTime, millisecondsOf, versionParameter } from "./file-row.js";
import type { FilesTable } from "./files-table.js";
import { getBatch } from "./get-batch.js";
import { grepLines } from "./grep-lines.js";
import { listEntries } from "./list-entries.js";
import { keysBelow, pathKey } from "./path-key.js";
import { putBatch } from "./put-batch.js";
import { putFile } from "./put-file.js";
import { readPage } from "./read-page.js";
import { copyFile, moveFile, relocateTree } from "./relocate-files.js";

/** Files as rows of one table. Nearly every call is one statement, which is also its transaction. */
export function postgresVolume(files: FilesTable, close: () => Promise<void>): Volume {
  const { database, names, namespace } = files;
  return {
    collisions: "refused",
    relocatesUnseen: true,
    callTimeoutMs: database.connections.limits.callTimeoutMs,
    async get(path, call) {
      const [row] = await database.read(
        `select ${fileColumns(files)} from ${names.table} where namespace = $1 and path = $2`,
        [namespace, pathKey(path)],
        call,
      );
      return row === undefined ? undefined : fileOf(row);
    },
    put: (path, bytes, condition) => putFile(files, path, bytes, condition),
    remove: (path, condition) => removeFile(files, path, condition),
    list: (directory, query) => listEntries(files, directory, query),
    stat: (path, call) => statPath(files, path, call),
    readPage: (path, page) => readPage(files, path, page),
    edit: (path, edits, condition) => editText(files, path, edits, condition),
    grep: (query) => grepLines(files, query),
    getMany: (paths, call) => getBatch(files, paths, call),
    putMany: (batch, call) =>
      putBatch(files, batch, call, ([path, bytes, condition]) => {
        const on: PutCondition = { ...condition, signal: call.signal };
        return putFile(files, path, bytes, on);
      }),
    removeTree: (path, call) => removeTree(files, path, call),
    moveFile: (from, to, options) => moveFile(files, from, to, options),
    copyFile: (from, to, options) => copyFile(files, from, to, options),
    moveTree: (from, to, call) => relocateTree(files, "move", from, to, call),
    copyTree: (from, to, call) => relocateTree(files, "copy", from, to, call),
    close,
  };
}

/** Times a removal is sent again when a file that another one replaces was removed under it. */
const MAX_ROUNDS = 8;

async function removeFile(
  { database, names, namespace }: FilesTable,
  path: string,
  { ifVersion, signal }: RemoveCondition,
): Promise<boolean> {
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const [row] = await database.change(
      `with removed as (
          delete from ${names.table} where namespace = $1 and path = $2
            and ($3::text is null or version::text = $3) returning 1
        )
        select (select 'yes' from removed) as removed,
          (select 'yes' from ${names.table} where namespace = $1 and path = $2) as seen`,
      [namespace, pathKey(path), versionParameter(ifVersion)],
      { signal, paths: [path] },
    );
    if (row?.["removed"] === "yes") return true;
    if (ifVersion !== undefined) break;
    // The statement saw a row and found it gone: a move has put another in its place, which the next statement sees.
    if (row?.["seen"] !== "yes") return false;
  }
  throw new VolumeError("conflict");
}

async function statPath(
  { database, names, namespace }: FilesTable,
  path: string,
  call: VolumeCall,
): Promise<VolumeEntry | undefined> {
  const below = keysBelow(path);
  const [row] = await database.read(
    `select 'file' as kind, size::text as size, ${millisecondsOf("modified_at")} as modified,
        ${millisecondsOf("created_at")} as created, version::text as version
      from ${names.table} where namespace = $1 and path = $2
    union all
    select * from (
      select 'directory', null, null, null, null from ${names.table}
      where namespace = $1 and path >= $3 and path < $4
        and ($5::text is null or starts_with(coalesce(long_path, path), $5)) limit 1
    ) below`,
    [namespace, pathKey(path), below.from, below.to, below.prefix ?? null],
    call,
  );
  if (row === undefined) return undefined;
  if (row["kind"] === "directory") return { path, kind: "directory" };
  return {
    path,
    kind: "file",
    size: Number(row["size"]),
    modifiedAt: isoTime(row["modified"]),
    createdAt: isoTime(row["created"]),
    version: row["version"] ?? undefined,
  };
}

async function removeTree(
  { database, names, namespace }: FilesTable,
  path: string,
  { signal }: VolumeCall,
): Promise<number> {
  const below = keysBelow(path);
  const [row] = await database.change(
    `with removed as (
      delete from ${names.table} where namespace = $1 and path >= $2 and path < $3
        and ($4::text is null or starts_with(coalesce(long_path, path), $4)) returning 1
    ) select count(*)::text as count from removed`,
    [namespace, below.from, below.to, below.prefix ?? null],
    { signal, paths: [path] },
  );
  return Number(row?.["count"]);
}
