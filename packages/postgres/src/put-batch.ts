import { ancestorsOf, VolumeError, type VolumeCall } from "@fs/protocol/author";
import type { Row, Send } from "./database.js";
import { storedContent } from "./file-row.js";
import type { FilesTable } from "./files-table.js";
import { isLongPath } from "./path-key.js";

export type BatchFile = readonly [path: string, bytes: Uint8Array];
export type BatchOutcome = ReadonlyArray<PromiseSettledResult<undefined>>;

/** Bytes of content per statement. A larger batch is several statements of one transaction. */
const MAX_STATEMENT_BYTES = 32 * 1024 * 1024;

/**
 * Stores many files, replacing, as one transaction: all that no directory or file stands against, or none. Most batches
 * are a single statement.
 *
 * @param putOne Stores a file that the batch itself stands against, afterwards.
 */
export async function putBatch(
  files: FilesTable,
  batch: readonly BatchFile[],
  call: VolumeCall,
  putOne: (file: BatchFile) => Promise<unknown>,
): Promise<BatchOutcome> {
  const { together, apart } = sorted(batch);
  const outcomes = new Map<string, PromiseSettledResult<undefined>>();
  try {
    const refusals = await storeTogether(files, together, call);
    for (const [path, refusal] of refusals)
      outcomes.set(path, { status: "rejected", reason: refusal });
  } catch (reason) {
    for (const [path] of together) outcomes.set(path, { status: "rejected", reason });
  }
  for (const file of apart) {
    outcomes.set(
      file[0],
      await putOne(file).then(
        () => DONE,
        (reason: unknown): PromiseRejectedResult => ({ status: "rejected", reason }),
      ),
    );
  }
  return batch.map(([path]) => outcomes.get(path) ?? DONE);
}

const DONE: PromiseFulfilledResult<undefined> = { status: "fulfilled", value: undefined };

/** The last content of every path, and apart those whose fate depends on others of the batch, or whose key is no path. */
function sorted(batch: readonly BatchFile[]): { together: BatchFile[]; apart: BatchFile[] } {
  const last = new Map(batch);
  const directories = new Set<string>();
  for (const path of last.keys()) for (const above of ancestorsOf(path)) directories.add(above);
  const together: BatchFile[] = [];
  const apart: BatchFile[] = [];
  for (const file of last) {
    const [path] = file;
    const entangled = directories.has(path) || ancestorsOf(path).some((above) => last.has(above));
    (entangled || isLongPath(path) ? apart : together).push(file);
  }
  return { together, apart };
}

/** Stores what it may; returns what was refused, by path. */
async function storeTogether(
  files: FilesTable,
  batch: readonly BatchFile[],
  call: VolumeCall,
): Promise<Map<string, VolumeError>> {
  if (batch.length === 0) return new Map();
  const slices = slicesOf(batch);
  const text = upsert(files);
  if (slices.length === 1) {
    const rows = await files.database.run(text, valuesOf(files, batch), call);
    return refusalsOf(batch, rows);
  }
  return files.database.transaction(call, async (send) => {
    const refusals = new Map<string, VolumeError>();
    for (const slice of slices) {
      const rows = await sendSlice(send, text, valuesOf(files, slice));
      for (const [path, refusal] of refusalsOf(slice, rows)) refusals.set(path, refusal);
    }
    return refusals;
  });
}

function sendSlice(send: Send, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
  return send(text, values);
}

function slicesOf(batch: readonly BatchFile[]): BatchFile[][] {
  const slices: BatchFile[][] = [];
  let room = 0;
  for (const file of batch) {
    room -= file[1].length;
    if (slices.length === 0 || room < 0) {
      slices.push([]);
      room = MAX_STATEMENT_BYTES - file[1].length;
    }
    slices.at(-1)?.push(file);
  }
  return slices;
}

function upsert({ names }: FilesTable): string {
  return `with guard as materialized (
      select string_to_array(g.directories, E'\\n') as directories,
        string_to_array(g.files, E'\\n') as files, g.directories as directory_lines, g.files as file_lines
      from ${names.guardMany}($1::text, $2::text, $3::text) g
    ), stored as (
      insert into ${names.table} (namespace, path, content, bytes, mime_type)
      select $1, f.p, f.c, decode(f.b, 'base64'), f.m
      from guard, json_to_recordset($4::json) as f(p text, c text, b text, m text)
      where (directories is null or f.p <> all (directories))
        and (files is null or not exists (
          select 1 from unnest(files) as above(path) where starts_with(f.p, above.path || '/')))
      on conflict (namespace, path) do update set content = excluded.content, bytes = excluded.bytes,
        mime_type = excluded.mime_type, version = excluded.version, modified_at = excluded.modified_at
    )
    select directory_lines as directories, file_lines as files from guard`;
}

function valuesOf({ namespace }: FilesTable, batch: readonly BatchFile[]): unknown[] {
  const ancestors = new Set(batch.flatMap(([path]) => ancestorsOf(path)));
  const rows = batch.map(([path, data]) => {
    const { content, bytes, mimeType } = storedContent(path, data);
    if (bytes === null) return { p: path, c: content, m: mimeType };
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
    return { p: path, b: base64, m: mimeType };
  });
  const paths = batch.map(([path]) => path).join("\n");
  return [namespace, paths, [...ancestors].join("\n"), JSON.stringify(rows)];
}

function refusalsOf(batch: readonly BatchFile[], rows: readonly Row[]): Map<string, VolumeError> {
  const refusals = new Map<string, VolumeError>();
  const directories = new Set(lines(rows[0]?.["directories"]));
  const files = new Set(lines(rows[0]?.["files"]));
  for (const [path] of batch) {
    if (directories.has(path)) refusals.set(path, new VolumeError("is_directory"));
    else if (ancestorsOf(path).some((above) => files.has(above)))
      refusals.set(path, new VolumeError("not_directory"));
  }
  return refusals;
}

function lines(text: string | null | undefined): string[] {
  return typeof text === "string" ? text.split("\n") : [];
}
