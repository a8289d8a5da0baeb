import {
  type EditCondition,
  type GrepQuery,
  type GrepStream,
  type ListQuery,
  type PutCondition,
  type RemoveCondition,
  type Replacement,
  type Volume,
  type VolumeCall,
  type VolumeEdit,
  type VolumeEntry,
  VolumeError,
  type VolumeFile,
  type VolumePage,
  type VolumeUpload,
} from "@fs/protocol/author";
import { editText } from "./edit-text.js";
import { fileColumns, fileOf, isoTime, millisecondsOf } from "./file-row.js";
import type { FilesTable } from "./files-table.js";
import { getBatch } from "./get-batch.js";
import { grepLines } from "./grep-lines.js";
import { listEntries } from "./list-entries.js";
import { keysBelow, pathKey } from "./path-key.js";
import { putBatch, type BatchFile, type BatchOutcome } from "./put-batch.js";
import { putFile } from "./put-file.js";
import { readPage } from "./read-page.js";
import { copyFile, moveFile, relocateTree } from "./relocate-files.js";

/** Files as rows of one table. Nearly every call is one statement, which is also its transaction. */
export class PostgresVolume implements Volume {
  readonly collisions = "refused";
  readonly #files: FilesTable;
  readonly #close: () => Promise<void>;

  constructor(files: FilesTable, close: () => Promise<void>) {
    this.#files = files;
    this.#close = close;
  }

  async get(path: string, call: VolumeCall): Promise<VolumeFile | undefined> {
    const { database, names, namespace } = this.#files;
    const [row] = await database.run(
      `select ${fileColumns(this.#files)} from ${names.table} where namespace = $1 and path = $2`,
      [namespace, pathKey(path)],
      call,
    );
    return row === undefined ? undefined : fileOf(row);
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    return putFile(this.#files, path, bytes, condition);
  }

  async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    const { database, names, namespace } = this.#files;
    const { ifVersion } = condition;
    const [row] = await database.run(
      `delete from ${names.table} where namespace = $1 and path = $2
        and ($3::text is null or version::text = $3) returning 'yes' as removed`,
      [namespace, pathKey(path), ifVersion ?? null],
      condition,
    );
    if (row === undefined && ifVersion !== undefined) throw new VolumeError("conflict");
    return row !== undefined;
  }

  list(directory: string, query: ListQuery): AsyncIterable<VolumeEntry> {
    return listEntries(this.#files, directory, query);
  }

  async stat(path: string, call: VolumeCall): Promise<VolumeEntry | undefined> {
    const { database, names, namespace } = this.#files;
    const below = keysBelow(path);
    const [row] = await database.run(
      `select 'file' as kind, size::text as size, ${millisecondsOf("modified_at")} as modified
        from ${names.table} where namespace = $1 and path = $2
      union all
      select * from (
        select 'directory', null, null from ${names.table}
        where namespace = $1 and path >= $3 and path < $4
          and ($5::text is null or starts_with(coalesce(long_path, path), $5)) limit 1
      ) below`,
      [namespace, pathKey(path), below.from, below.to, below.prefix ?? null],
      call,
    );
    if (row === undefined) return undefined;
    if (row["kind"] === "directory") return { path, kind: "directory" };
    return { path, kind: "file", size: Number(row["size"]), modifiedAt: isoTime(row["modified"]) };
  }

  async readPage(
    path: string,
    page: { readonly offset: number; readonly limit: number } & VolumeCall,
  ): Promise<VolumePage | undefined> {
    return readPage(this.#files, path, page);
  }

  async edit(
    path: string,
    edits: readonly Replacement[],
    condition: EditCondition,
  ): Promise<VolumeEdit | undefined> {
    return editText(this.#files, path, edits, condition);
  }

  async grep(query: GrepQuery): Promise<GrepStream | undefined> {
    return grepLines(this.#files, query);
  }

  async getMany(
    paths: readonly string[],
    call: VolumeCall,
  ): Promise<ReadonlyArray<PromiseSettledResult<VolumeFile | undefined>>> {
    return getBatch(this.#files, paths, call);
  }

  async putMany(
    files: readonly VolumeUpload[],
    call: VolumeCall,
  ): Promise<BatchOutcome | undefined> {
    if (files.some(([, , condition]) => condition !== undefined)) return undefined;
    const plain = files.map(([path, bytes]): BatchFile => [path, bytes]);
    return putBatch(this.#files, plain, call, ([path, bytes]) =>
      putFile(this.#files, path, bytes, call),
    );
  }

  async removeTree(path: string, call: VolumeCall): Promise<number> {
    const { database, names, namespace } = this.#files;
    const below = keysBelow(path);
    const [row] = await database.run(
      `with removed as (
        delete from ${names.table} where namespace = $1 and path >= $2 and path < $3
          and ($4::text is null or starts_with(coalesce(long_path, path), $4)) returning 1
      ) select count(*)::text as count from removed`,
      [namespace, below.from, below.to, below.prefix ?? null],
      call,
    );
    return Number(row?.["count"]);
  }

  async moveFile(
    from: string,
    to: string,
    options: { overwrite: boolean } & VolumeCall,
  ): Promise<true | undefined> {
    return moveFile(this.#files, from, to, options);
  }

  async copyFile(
    from: string,
    to: string,
    options: { overwrite: boolean } & VolumeCall,
  ): Promise<true | undefined> {
    return copyFile(this.#files, from, to, options);
  }

  async moveTree(from: string, to: string, call: VolumeCall): Promise<number | undefined> {
    return relocateTree(this.#files, "move", from, to, call);
  }

  async copyTree(from: string, to: string, call: VolumeCall): Promise<number | undefined> {
    return relocateTree(this.#files, "copy", from, to, call);
  }

  async close(): Promise<void> {
    await this.#close();
  }
}
