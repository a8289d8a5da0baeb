import { outcomeOf } from "@fs/protocol/async";
import { isTextBytes, type Replacement } from "@fs/protocol/hooks";
import {
  type EditCondition,
  listingOf,
  MAX_PATH_BYTES,
  partlyRemoved,
  type PutCondition,
  type Volume,
  type VolumeCall,
  type VolumeEdit,
  VolumeError,
  type VolumeFile,
  type VolumePage,
  type VolumePut,
  type VolumeUpload,
} from "@fs/protocol/author";
import { allowanceFor } from "./allowance.js";
import type { CommandArgument } from "./client.js";
import type { Connection } from "./connection.js";
import { ExpiryWarning } from "./expiry-warning.js";
import { entryOf, fileOf, parseRecord } from "./entries.js";
import { grepNamespace } from "./grep.js";
import type { NamespaceKeys } from "./keyspace.js";
import { listSlices } from "./listing.js";
import { PAGE, STAT } from "./lua/read-scripts.js";
import { CUT, EDIT, PUT, REMOVE, TRANSFER, TRANSFER_TREE } from "./lua/write-scripts.js";
import { Operations } from "./operations.js";
import { COUNTABLE_LINES, pageOf, WHOLE_BELOW } from "./page.js";
import { pipelinesOf } from "./pipelines.js";
import { buffersOf, codeOf, statusOf } from "./replies.js";

/** Bytes up to which an edit runs on the server; a script copies the file, so that more would hold up others. */
const EDITABLE_BYTES = 1024 * 1024;
/** Files that one script removes: about 2 ms of the server's time. */
const CUT_SLICE = 200;
/** Files that one script moves or copies. */
const TREE_SLICE = 500;
/** Bytes that one script moves or copies. */
const TREE_BYTES = 4 * 1024 * 1024;
/** Files that one command fetches. */
const FETCH_SLICE = 64;

export interface RedisVolumeOptions {
  readonly connection: Connection;
  readonly keys: NamespaceKeys;
  /** Milliseconds after the last change at which the namespace expires; 0 for never. */
  readonly ttl: number;
}

/** Where the files of a namespace are, and how they are changed. */
interface Place extends RedisVolumeOptions {
  readonly operations: Operations;
  /** Where the namespace expires. */
  readonly expiry: ExpiryWarning | undefined;
}

/** Files in three keys of Redis, changed only by scripts: content, index and version are never apart. */
export function redisVolume(options: RedisVolumeOptions): Volume {
  const { connection, keys } = options;
  const operations = new Operations(connection, keys, options.ttl);
  const expiry = options.ttl > 0 ? new ExpiryWarning(connection, keys[0]) : undefined;
  const place = { ...options, operations, expiry };
  return {
    collisions: "refused",
    relocatesUnseen: true,
    callTimeoutMs: connection.callTimeoutMs,
    async get(path, call) {
      const [record, bytes] = await fields(place, [`m${path}`, `c${path}`], call);
      return fileFrom(record, bytes);
    },
    async put(path, bytes, condition) {
      await connection.refuseEviction(condition);
      await expiry?.before(1, condition);
      const args = putArguments(path, bytes, condition);
      return { version: stored(await place.operations.run(PUT, args, condition)) };
    },
    async remove(path, condition) {
      const args = [path, condition.ifVersion ?? ""];
      const reply = await place.operations.run(REMOVE, args, condition);
      return statusOf(reply) !== "none" && stored(reply) === "1";
    },
    list: (directory, query) =>
      listingOf(async function* () {
        for await (const slice of listSlices(connection, keys, directory, query))
          yield slice.map(({ path, record }) => entryOf(path, record));
      }),
    async stat(path, call) {
      const [status, line] = buffersOf(await connection.run(STAT, keys, [path], call));
      if (status?.toString() === "none") return undefined;
      return entryOf(path, line === undefined ? undefined : parseRecord(line));
    },
    readPage: (path, page) => readPage(place, path, page),
    edit: (path, edits, condition) => edit(place, path, edits, condition),
    grep: async (query) => grepNamespace(connection, keys, query),
    getMany: (paths, call) => getMany(place, paths, call),
    putMany: (files, call) => putMany(place, files, call),
    removeTree: (path, call) => removeTree(place, path, call),
    moveFile: (from, to, call) => transfer(place, from, to, call, false),
    copyFile: (from, to, call) => transfer(place, from, to, call, true),
    moveTree: (from, to, call) => transferTree(place, from, to, call, false),
    copyTree: (from, to, call) => transferTree(place, from, to, call, true),
    close: () => connection.close(),
  };
}

async function readPage(
  { connection, keys }: Place,
  path: string,
  page: { readonly offset: number; readonly limit: number } & VolumeCall,
): Promise<VolumePage | undefined> {
  const { offset, limit } = page;
  const args = [path, offset, limit, WHOLE_BELOW, COUNTABLE_LINES];
  const reply = buffersOf(await connection.run(PAGE, keys, args, page));
  const status = reply[0]?.toString();
  if (status === "directory") throw new VolumeError("is_directory");
  if (status === "none") throw new VolumeError("not_found");
  return status === "binary" ? undefined : pageOf(reply, offset, limit);
}

async function edit(
  { connection, operations }: Place,
  path: string,
  edits: readonly Replacement[],
  condition: EditCondition,
): Promise<VolumeEdit | undefined> {
  // An empty text to replace, or a NUL that makes the file binary, is for the generic path.
  if (edits.some(({ old, new: text }) => old === "" || text.includes("\0"))) return undefined;
  await connection.refuseEviction(condition);
  const longest = edits.reduce((most, { old }) => Math.max(most, Buffer.byteLength(old)), 0);
  const args: CommandArgument[] = [path, condition.ifVersion ?? "", condition.maxBytes];
  args.push(EDITABLE_BYTES, allowanceFor(longest));
  for (const { old, new: text, replaceAll } of edits) args.push(old, text, replaceAll ? 1 : 0);
  const reply = await operations.run(EDIT, args, condition);
  if (statusOf(reply) === "decline") return undefined;
  const [occurrences, version, size] = stored(reply).split(" ");
  return { occurrences: Number(occurrences), version, size: Number(size) };
}

async function getMany(
  place: Place,
  paths: readonly string[],
  call: VolumeCall,
): Promise<Array<PromiseSettledResult<VolumeFile | undefined>>> {
  const files: Array<PromiseSettledResult<VolumeFile | undefined>> = [];
  for (let from = 0; from < paths.length; from += FETCH_SLICE) {
    const slice = paths.slice(from, from + FETCH_SLICE);
    const names = slice.flatMap((path) => [`m${path}`, `c${path}`]);
    const values = await fields(place, names, call);
    for (let i = 0; i < slice.length; i++) {
      const value = fileFrom(values[2 * i], values[2 * i + 1]);
      files.push({ status: "fulfilled", value });
    }
  }
  return files;
}

async function putMany(
  { connection, operations, expiry }: Place,
  files: readonly VolumeUpload[],
  call: VolumeCall,
): Promise<Array<PromiseSettledResult<VolumePut>>> {
  await connection.refuseEviction(call);
  await expiry?.before(files.length, call);
  const outcomes: Array<PromiseSettledResult<VolumePut>> = [];
  for (const slice of pipelinesOf(files)) {
    const all = slice.map(([path, bytes, condition]) => putArguments(path, bytes, condition ?? {}));
    const sent = await outcomeOf(() => operations.runAll(PUT, all, call));
    // What the pipelines before it have stored stays known; nothing is sent after one that had no answer.
    if (sent.status === "rejected")
      return [...outcomes, ...files.slice(outcomes.length).map(() => sent)];
    outcomes.push(...sent.value.map(storedOutcome));
  }
  return outcomes;
}

async function removeTree({ operations }: Place, path: string, call: VolumeCall): Promise<number> {
  let removed = 0;
  try {
    // Each path once: a file that another client creates where one was removed stays.
    for (let last = ""; ;) {
      const reply = await operations.run(CUT, [path, CUT_SLICE, last], call);
      if (statusOf(reply) === "none") return removed;
      const text = stored(reply);
      const files = Number.parseInt(text);
      removed += files;
      if (files < CUT_SLICE) return removed;
      last = text.slice(text.indexOf(" ") + 1);
    }
  } catch (error) {
    throw partlyRemoved(error, removed, path);
  }
}

async function transfer(
  { connection, operations }: Place,
  from: string,
  to: string,
  options: { overwrite: boolean } & VolumeCall,
  keep: boolean,
): Promise<true | undefined> {
  await connection.refuseEviction(options);
  const args = [from, to, options.overwrite ? 1 : 0, keep ? 1 : 0];
  const reply = await operations.run(TRANSFER, args, options);
  if (statusOf(reply) === "none") return undefined;
  stored(reply);
  return true;
}

async function transferTree(
  { connection, operations }: Place,
  from: string,
  to: string,
  call: VolumeCall,
  keep: boolean,
): Promise<number | undefined> {
  await connection.refuseEviction(call);
  const args = [from, to, keep ? 1 : 0, TREE_SLICE, TREE_BYTES, MAX_PATH_BYTES];
  const reply = await operations.run(TRANSFER_TREE, args, call);
  return statusOf(reply) === "decline" ? undefined : Number(stored(reply));
}

async function fields(
  { connection, keys }: Place,
  names: readonly string[],
  call: VolumeCall,
): Promise<Array<Buffer | undefined>> {
  return buffersOf(await connection.fields(keys[0], names, call));
}

function putArguments(
  path: string,
  bytes: Uint8Array,
  { ifAbsent, ifVersion }: PutCondition,
): CommandArgument[] {
  const condition = ifVersion !== undefined ? "version" : ifAbsent === true ? "absent" : "none";
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [path, condition, ifVersion ?? "", isTextBytes(bytes) ? 1 : 0, content];
}

function fileFrom(record: Buffer | undefined, bytes: Buffer | undefined): VolumeFile | undefined {
  return record === undefined || bytes === undefined
    ? undefined
    : fileOf(parseRecord(record), bytes);
}

/** What a script stored or counted. Throws the code it answered instead. */
function stored(reply: ReadonlyArray<Buffer | undefined>): string {
  const code = codeOf(statusOf(reply));
  if (code !== undefined) throw new VolumeError(code);
  return reply[1]?.toString() ?? "";
}

function storedOutcome(
  outcome: PromiseSettledResult<Array<Buffer | undefined>>,
): PromiseSettledResult<VolumePut> {
  if (outcome.status === "rejected") return outcome;
  const code = codeOf(statusOf(outcome.value));
  if (code === undefined)
    return { status: "fulfilled", value: { version: outcome.value[1]?.toString() } };
  return { status: "rejected", reason: new VolumeError(code) };
}
