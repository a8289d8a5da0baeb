import type { ErrorCode } from "@fs/protocol";
import {
  ancestorsOf,
  type VolumeCall,
  VolumeError,
  type VolumePut,
  type VolumeUpload,
} from "@fs/protocol/author";
import type { Row } from "./database.js";
import { storedContent, versionParameter } from "./file-row.js";
import type { FilesTable } from "./files-table.js";
import { isLongPath } from "./path-key.js";

export type BatchOutcome = ReadonlyArray<PromiseSettledResult<VolumePut | undefined>>;

/** Bytes of content per statement. A larger batch is several statements of one transaction. */
const MAX_STATEMENT_BYTES = 32 * 1024 * 1024;

/**
 * Stores many files, each on its condition, else replacing. Those of different paths are one transaction: all that no directory, file
 * or condition stands against, or none; most batches are a single statement. A path that comes again is stored in another one after
 * that, so that each of its files has had a version of its own.
 *
 * @param putOne Stores a file that the batch itself stands against, afterwards.
 */
export async function putBatch(
  files: FilesTable,
  batch: readonly VolumeUpload[],
  call: VolumeCall,
  putOne: (file: VolumeUpload) => Promise<VolumePut>,
): Promise<BatchOutcome> {
  const outcomes = new Map<VolumeUpload, PromiseSettledResult<VolumePut | undefined>>();
  for (const round of roundsOf(batch)) {
    const stored = await putDistinct(files, round, call, putOne);
    for (const file of round.values())
      outcomes.set(file, stored.get(file[0]) ?? { status: "fulfilled", value: undefined });
  }
  return batch.map((file) => outcomes.get(file) ?? { status: "fulfilled", value: undefined });
}

/** The first file of each path, then the second of each that has one, and so on. */
function roundsOf(batch: readonly VolumeUpload[]): Array<ReadonlyMap<string, VolumeUpload>> {
  const rounds: Array<Map<string, VolumeUpload>> = [];
  const seen = new Map<string, number>();
  for (const file of batch) {
    const [path] = file;
    const before = seen.get(path) ?? 0;
    seen.set(path, before + 1);
    const round = rounds[before] ?? new Map<string, VolumeUpload>();
    rounds[before] = round.set(path, file);
  }
  return rounds;
}

async function putDistinct(
  files: FilesTable,
  batch: ReadonlyMap<string, VolumeUpload>,
  call: VolumeCall,
  putOne: (file: VolumeUpload) => Promise<VolumePut>,
): Promise<Map<string, PromiseSettledResult<VolumePut | undefined>>> {
  const { together, apart } = sorted(batch);
  const outcomes = new Map<string, PromiseSettledResult<VolumePut | undefined>>();
  try {
    const facts = await storeTogether(files, together, call);
    for (const file of together) outcomes.set(file[0], outcomeOf(file, facts));
  } catch (reason) {
    for (const [path] of together) outcomes.set(path, { status: "rejected", reason });
  }
  for (const file of apart) {
    const [outcome] = await Promise.allSettled([putOne(file)]);
    outcomes.set(file[0], outcome);
  }
  return outcomes;
}

/** Apart are those whose fate depends on others of the batch, or whose key is no path. */
function sorted(files: ReadonlyMap<string, VolumeUpload>): {
  together: VolumeUpload[];
  apart: VolumeUpload[];
} {
  const directories = new Set<string>();
  for (const path of files.keys()) for (const above of ancestorsOf(path)) directories.add(above);
  const together: VolumeUpload[] = [];
  const apart: VolumeUpload[] = [];
  for (const [path, file] of files) {
    const entangled = directories.has(path) || ancestorsOf(path).some((above) => files.has(above));
    (entangled || isLongPath(path) ? apart : together).push(file);
  }
  return { together, apart };
}

/** What the server reports of a batch. */
interface Facts {
  /** Paths where a directory is. */
  readonly directories: Set<string>;
  /** Files above paths of the batch. */
  readonly files: Set<string>;
  /** Versions of what was stored, by path. */
  readonly versions: Map<string, string>;
}

function outcomeOf(
  [path, , condition]: VolumeUpload,
  { directories, files, versions }: Facts,
): PromiseSettledResult<VolumePut> {
  const version = versions.get(path);
  if (version !== undefined) return { status: "fulfilled", value: { version } };
  if (condition?.ifVersion !== undefined) return refused("conflict");
  if (directories.has(path)) return refused("is_directory");
  if (ancestorsOf(path).some((above) => files.has(above))) return refused("not_directory");
  return refused(condition?.ifAbsent === true ? "already_exists" : "unavailable");
}

function refused(code: ErrorCode): PromiseRejectedResult {
  return { status: "rejected", reason: new VolumeError(code) };
}

async function storeTogether(
  files: FilesTable,
  batch: readonly VolumeUpload[],
  call: VolumeCall,
): Promise<Facts> {
  const facts: Facts = { directories: new Set(), files: new Set(), versions: new Map() };
  if (batch.length === 0) return facts;
  const slices = slicesOf(batch);
  const text = upsert(files);
  const change = { signal: call.signal, paths: batch.map(([path]) => path) };
  if (slices.length === 1) {
    addFacts(facts, await files.database.change(text, valuesOf(files, batch, batch), change));
    return facts;
  }
  await files.database.transaction(change, async (send) => {
    // The first takes the locks of all: two uploads that take them in parts may wait for each other.
    for (const [index, slice] of slices.entries())
      addFacts(facts, await send(text, valuesOf(files, slice, index === 0 ? batch : slice)));
  });
  return facts;
}

function addFacts(facts: Facts, [row]: readonly Row[]): void {
  for (const path of lines(row?.["directories"])) facts.directories.add(path);
  for (const path of lines(row?.["files"])) facts.files.add(path);
  for (const line of lines(row?.["stored"])) {
    const [path = "", version = ""] = line.split("\t");
    facts.versions.set(path, version);
  }
}

function slicesOf(batch: readonly VolumeUpload[]): VolumeUpload[][] {
  const slices: VolumeUpload[][] = [];
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
  const columns = "(namespace, path, content, bytes, mime_type)";
  const values = "select $1, r.p, r.c, r.bytes, r.m from accepted r";
  return `with guard as materialized (
      select string_to_array(g.directories, E'\\n') as directories,
        string_to_array(g.files, E'\\n') as files, g.directories as directory_lines, g.files as file_lines
      from ${names.guardMany}($1::text, $2::text, $3::text) g
    ), accepted as materialized (
      select f.p, f.c, decode(f.b, 'base64') as bytes, f.m, f.a, f.v
      from guard, json_to_recordset($4::json) as f(p text, c text, b text, m text, a boolean, v text)
      where (directories is null or f.p <> all (directories))
        and (files is null or not exists (
          select 1 from unnest(files) as above(path) where starts_with(f.p, above.path || '/')))
    ), replaced as (
      insert into ${names.table} ${columns} ${values} where r.a is null and r.v is null
      on conflict (namespace, path) do update set content = excluded.content, bytes = excluded.bytes,
        mime_type = excluded.mime_type, version = excluded.version, modified_at = excluded.modified_at
      returning path, version
    ), created as (
      insert into ${names.table} ${columns} ${values} where r.a and r.v is null
      on conflict (namespace, path) do nothing returning path, version
    ), updated as (
      update ${names.table} f set content = r.c, bytes = r.bytes, mime_type = r.m, version = default,
        modified_at = clock_timestamp()
      from accepted r where f.namespace = $1 and f.path = r.p and f.version::text = r.v
      returning f.path, f.version
    )
    select directory_lines as directories, file_lines as files,
      (select string_agg(s.path || E'\\t' || s.version::text, E'\\n') from (
        select * from replaced union all select * from created union all select * from updated
      ) s) as stored
    from guard`;
}

/** @param guarded The files whose paths are locked and looked at. */
function valuesOf(
  { namespace }: FilesTable,
  slice: readonly VolumeUpload[],
  guarded: readonly VolumeUpload[],
): unknown[] {
  const ancestors = new Set(guarded.flatMap(([path]) => ancestorsOf(path)));
  const rows = slice.map(([path, data, condition]) => {
    const { content, bytes, mimeType } = storedContent(path, data);
    const on = {
      a: condition?.ifAbsent === true ? true : undefined,
      v: versionParameter(condition?.ifVersion) ?? undefined,
    };
    if (bytes === null) return { p: path, c: content, m: mimeType, ...on };
    const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
    return { p: path, b: base64, m: mimeType, ...on };
  });
  const paths = guarded.map(([path]) => path).join("\n");
  return [namespace, paths, [...ancestors].join("\n"), JSON.stringify(rows)];
}

function lines(text: string | null | undefined): string[] {
  return typeof text === "string" ? text.split("\n") : [];
}
