import { randomBytes } from "node:crypto";
import {
  isTextBytes,
  VolumeError,
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
  type VolumeFile,
  type VolumePage,
  type VolumeUpload,
} from "@fs/protocol/author";
import type { CommandArgument } from "./client.js";
import type { Connection } from "./connection.js";
import { entryOf, fileOf, parseRecord } from "./entries.js";
import { grepNamespace } from "./grep.js";
import type { NamespaceKeys } from "./keyspace.js";
import { allowanceFor } from "./allowance.js";
import { listSlices } from "./listing.js";
import { COUNTABLE_LINES, pageOf, WHOLE_BELOW } from "./page.js";
import { type Batch, pipelinesOf } from "./pipelines.js";
import { buffersOf, codeOf, statusOf } from "./replies.js";
import { PAGE, STAT } from "./lua/read-scripts.js";
import { CUT, EDIT, TRANSFER_TREE, PUT, REMOVE, TRANSFER } from "./lua/write-scripts.js";
import type { Script } from "./script.js";

/** Bytes up to which an edit runs on the server; a script copies the file, so that more would hold up others. */
const EDITABLE_BYTES = 1024 * 1024;
/** Files that one script removes, moves or copies. */
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

/** Files in three keys of Redis, changed only by scripts: content, index and version are never apart. */
export class RedisVolume implements Volume {
  readonly collisions = "refused";
  readonly #connection: Connection;
  readonly #keys: NamespaceKeys;
  readonly #options: RedisVolumeOptions;
  readonly #origin = randomBytes(9).toString("base64");
  #operations = 0;

  constructor(options: RedisVolumeOptions) {
    this.#options = options;
    this.#connection = options.connection;
    this.#keys = options.keys;
  }

  async get(path: string): Promise<VolumeFile | undefined> {
    const [record, bytes] = await this.#fields([`m${path}`, `c${path}`]);
    return fileFrom(record, bytes);
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    await this.#connection.refuseEviction();
    const reply = await this.#mutate(PUT, this.#putArguments(path, bytes, condition));
    return { version: stored(reply) };
  }

  async remove(path: string, { ifVersion = "" }: RemoveCondition): Promise<boolean> {
    const reply = await this.#mutate(REMOVE, [path, ifVersion]);
    return statusOf(reply) !== "none" && stored(reply) === "1";
  }

  async *list(directory: string, { deep }: ListQuery): AsyncGenerator<VolumeEntry> {
    for await (const slice of listSlices(this.#connection, this.#keys, directory, deep)) {
      for (const { path, record } of slice) yield entryOf(path, record);
    }
  }

  async stat(path: string): Promise<VolumeEntry | undefined> {
    const reply = await this.#connection.run(STAT, this.#keys, [path]);
    const [status, line] = buffersOf(reply);
    if (status?.toString() === "none") return undefined;
    return entryOf(path, line === undefined ? undefined : parseRecord(line));
  }

  async readPage(
    path: string,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<VolumePage | undefined> {
    const args = [path, offset, limit, WHOLE_BELOW, COUNTABLE_LINES];
    const reply = buffersOf(await this.#connection.run(PAGE, this.#keys, args));
    const status = reply[0]?.toString();
    if (status === "directory") throw new VolumeError("is_directory");
    if (status === "none") throw new VolumeError("not_found");
    return status === "binary" ? undefined : pageOf(reply, offset, limit);
  }

  async edit(
    path: string,
    edits: readonly Replacement[],
    { ifVersion = "", maxBytes }: EditCondition,
  ): Promise<VolumeEdit | undefined> {
    // An empty text to replace, or a NUL that makes the file binary, is for the generic path.
    if (edits.some((edit) => edit.old === "" || edit.new.includes("\0"))) return undefined;
    await this.#connection.refuseEviction();
    const args: CommandArgument[] = [path, ifVersion, maxBytes, EDITABLE_BYTES];
    args.push(allowanceFor(Math.max(...edits.map((edit) => Buffer.byteLength(edit.old)))));
    for (const edit of edits) args.push(edit.old, edit.new, edit.replaceAll ? 1 : 0);
    const reply = await this.#mutate(EDIT, args);
    return statusOf(reply) === "decline" ? undefined : { occurrences: Number(stored(reply)) };
  }

  async grep(query: GrepQuery): Promise<GrepStream | undefined> {
    return grepNamespace(this.#connection, this.#keys, query);
  }

  async getMany(
    paths: readonly string[],
  ): Promise<Array<PromiseSettledResult<VolumeFile | undefined>>> {
    const files: Array<PromiseSettledResult<VolumeFile | undefined>> = [];
    for (let from = 0; from < paths.length; from += FETCH_SLICE) {
      const slice = paths.slice(from, from + FETCH_SLICE);
      const values = await this.#fields(slice.flatMap((path) => [`m${path}`, `c${path}`]));
      for (let i = 0; i < slice.length; i++) {
        const value = fileFrom(values[2 * i], values[2 * i + 1]);
        files.push({ status: "fulfilled", value });
      }
    }
    return files;
  }

  async putMany(
    given: readonly VolumeUpload[],
  ): Promise<Array<PromiseSettledResult<undefined>> | undefined> {
    if (given.some(([, , condition]) => condition !== undefined)) return undefined;
    const files: Batch = given.map(([path, bytes]) => [path, bytes] as const);
    await this.#connection.refuseEviction();
    const outcomes: Array<PromiseSettledResult<undefined>> = [];
    for (const slice of pipelinesOf(files)) {
      const calls = slice.map(
        ([path, bytes]) => [PUT, this.#operation(this.#putArguments(path, bytes, {}))] as const,
      );
      const settled = await this.#connection.runAll(this.#keys, calls);
      outcomes.push(...settled.map(storedOutcome));
    }
    return outcomes;
  }

  async removeTree(path: string): Promise<number> {
    let removed = 0;
    for (;;) {
      const reply = await this.#mutate(CUT, [path, TREE_SLICE]);
      if (statusOf(reply) === "none") return removed;
      removed += Number(stored(reply));
    }
  }

  moveFile(from: string, to: string, options: { overwrite: boolean } & VolumeCall): Promise<true> {
    return this.#transfer(from, to, options.overwrite, false);
  }

  copyFile(from: string, to: string, options: { overwrite: boolean } & VolumeCall): Promise<true> {
    return this.#transfer(from, to, options.overwrite, true);
  }

  moveTree(from: string, to: string): Promise<number | undefined> {
    return this.#transferTree(from, to, false);
  }

  copyTree(from: string, to: string): Promise<number | undefined> {
    return this.#transferTree(from, to, true);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #transfer(from: string, to: string, overwrite: boolean, keep: boolean): Promise<true> {
    await this.#connection.refuseEviction();
    const reply = await this.#mutate(TRANSFER, [from, to, overwrite ? 1 : 0, keep ? 1 : 0]);
    if (statusOf(reply) === "none") throw new VolumeError("not_found", undefined, { path: from });
    stored(reply);
    return true;
  }

  async #transferTree(from: string, to: string, keep: boolean): Promise<number | undefined> {
    await this.#connection.refuseEviction();
    const args = [from, to, keep ? 1 : 0, TREE_SLICE, TREE_BYTES];
    const reply = await this.#mutate(TRANSFER_TREE, args);
    return statusOf(reply) === "decline" ? undefined : Number(stored(reply));
  }

  #putArguments(
    path: string,
    bytes: Uint8Array,
    { ifAbsent, ifVersion }: PutCondition,
  ): CommandArgument[] {
    const condition = ifVersion !== undefined ? "version" : ifAbsent === true ? "absent" : "none";
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return [path, condition, ifVersion ?? "", isTextBytes(bytes) ? 1 : 0, content];
  }

  /** What every mutation is called with: an id by which the server knows a repetition, and the time to live. */
  #operation(args: readonly CommandArgument[]): CommandArgument[] {
    return [`${this.#origin}${++this.#operations}`, this.#options.ttl, ...args];
  }

  async #mutate(script: Script, args: readonly CommandArgument[]): Promise<Buffer[]> {
    return buffersOf(await this.#connection.run(script, this.#keys, this.#operation(args)));
  }

  async #fields(fields: string[]): Promise<Array<Buffer | undefined>> {
    return buffersOf(await this.#connection.fields(this.#keys[0], fields));
  }
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

function storedOutcome(outcome: PromiseSettledResult<unknown>): PromiseSettledResult<undefined> {
  if (outcome.status === "rejected") return outcome;
  const code = codeOf(statusOf(buffersOf(outcome.value)));
  if (code === undefined) return { status: "fulfilled", value: undefined };
  return { status: "rejected", reason: new VolumeError(code) };
}
