import { createHash } from "node:crypto";
import {
  comparePaths,
  isTextBytes,
  VolumeError,
  type GrepQuery,
  type GrepStream,
  type ListQuery,
  type PutCondition,
  type RemoveCondition,
  type Volume,
  type VolumeCall,
  type VolumeEntry,
  type VolumeFile,
  type VolumePage,
  type VolumeUpload,
} from "@fs/protocol/author";
import { errorOf, parseStat } from "./answer.js";
import type { SandboxChannel } from "./channel.js";
import { batchesOf } from "./batches.js";
import { matchesOf } from "./candidate-search.js";
import { countByteLines, pageOfBytes } from "./page-of-bytes.js";
import { randomName, SandboxCommands, STAGING } from "./sandbox-commands.js";
import * as mutations from "./mutation-scripts.js";
import * as scripts from "./scripts.js";

/** Patterns longer than this are searched for on this side. */
const MAX_PATTERN_BYTES = 4096;

/** Files of a sandbox, by commands and file transfer. The commands hold no path, pattern or content as written. */
export class SandboxVolume implements Volume {
  readonly directories = "real";
  readonly collisions = "refused";
  readonly #channel: SandboxChannel;
  readonly #commands: SandboxCommands;
  readonly #root: string;

  /** @param root The directory of the sandbox that is `/` here; `""` for the sandbox's own. */
  constructor(channel: SandboxChannel, root: string) {
    this.#channel = channel;
    this.#commands = new SandboxCommands(channel);
    this.#root = root;
  }

  async get(path: string, call: VolumeCall): Promise<VolumeFile | undefined> {
    const lines = await orMissing(this.#commands.run({ p: this.#host(path) }, scripts.READ, call));
    const stat = parseStat(lines?.[0]);
    if (lines === undefined || stat === undefined) return undefined;
    const head = Buffer.from(lines.slice(1).join(""), "base64");
    const inline = head.length <= scripts.INLINE_BYTES;
    const bytes = inline ? head : await this.#channel.fetchFile(this.#host(path), call);
    if (bytes === undefined) return undefined;
    return { bytes, version: sha256(bytes), modifiedAt: stat.modifiedAt };
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    await this.#commands.prepare(condition);
    const staged = this.#commands.staging();
    await this.#channel.sendFile(staged, bytes, condition);
    const how =
      condition.ifAbsent === true
        ? "absent"
        : condition.ifVersion === undefined
          ? "any"
          : "version";
    const host = this.#host(path);
    const variables = {
      p: host,
      s: staged,
      r: randomName(),
      l: lockOf(host),
      v: condition.ifVersion ?? "",
    };
    await asConflict(how, this.#commands.run(variables, mutations.putScript(how), condition));
    return { version: sha256(bytes) };
  }

  async putMany(
    given: readonly VolumeUpload[],
    call: VolumeCall,
  ): Promise<Array<PromiseSettledResult<undefined>> | undefined> {
    if (given.some(([, , condition]) => condition !== undefined)) return undefined;
    const files = given.map(([path, bytes]) => [path, bytes] as const);
    const outcomes: Array<PromiseSettledResult<undefined>> = [];
    for (const batch of batchesOf(files)) outcomes.push(...(await this.#putBatch(batch, call)));
    return outcomes;
  }

  async #putBatch(
    files: ReadonlyArray<readonly [string, Uint8Array]>,
    call: VolumeCall,
  ): Promise<Array<PromiseSettledResult<undefined>>> {
    await this.#commands.prepare(call);
    const b = this.#commands.staging();
    await this.#channel.sendFile(b, Buffer.concat(files.map(([, bytes]) => bytes)), call);
    let offset = 0;
    const entries = files.map(([path, { length }]) => {
      const host = this.#host(path);
      const entry = { host, lock: lockOf(host), name: randomName(), offset, length };
      offset += length;
      return entry;
    });
    const words = await this.#commands.run({ b }, mutations.putManyScript(entries), call);
    return files.map((_, index): PromiseSettledResult<undefined> => {
      const word = words[index] ?? "";
      if (word === scripts.END) return { status: "fulfilled", value: undefined };
      return { status: "rejected", reason: errorOf(word) ?? new VolumeError("unavailable") };
    });
  }

  async remove(path: string, { ifVersion, signal }: RemoveCondition): Promise<boolean> {
    const host = this.#host(path);
    const variables = { p: host, l: lockOf(host), v: ifVersion ?? "" };
    const body = mutations.removeScript(ifVersion !== undefined);
    return (await orMissing(this.#commands.run(variables, body, { signal }))) !== undefined;
  }

  async *list(directory: string, { deep, glob, signal }: ListQuery): AsyncGenerator<VolumeEntry> {
    const host = this.#host(directory);
    // The names are a sieve only: what passes is matched again above, by the one matcher.
    const names =
      glob?.names === undefined || glob.names.length > scripts.MAX_NAMES ? [] : glob.names;
    const variables = Object.fromEntries(names.map((name, index) => [`n${index}`, name]));
    const body = deep ? scripts.listDeepScript(host === "/", names.length) : scripts.LIST;
    for (const line of await this.#commands.run({ p: host, ...variables }, body, { signal })) {
      const stat = parseStat(line);
      const path = stat === undefined ? undefined : this.#virtual(directory, stat.name);
      if (stat === undefined || path === undefined || stat.kind === "other") continue;
      yield {
        path,
        kind: stat.kind,
        modifiedAt: stat.modifiedAt,
        ...(stat.kind === "file" ? { size: stat.size } : {}),
      };
    }
  }

  async stat(path: string, call: VolumeCall): Promise<VolumeEntry | undefined> {
    const lines = await orMissing(
      this.#commands.run({ p: this.#host(path) }, scripts.STAT_PATH, call),
    );
    const stat = parseStat(lines?.[0]);
    if (stat === undefined || stat.kind === "other") return undefined;
    const { kind, size, modifiedAt } = stat;
    return kind === "file" ? { path, kind, size, modifiedAt } : { path, kind, modifiedAt };
  }

  async readPage(
    path: string,
    { offset, limit, signal }: { offset: number; limit: number } & VolumeCall,
  ): Promise<VolumePage | undefined> {
    const p = this.#host(path);
    const lines = await orMissing(this.#commands.run({ p }, scripts.READ, { signal }));
    if (lines === undefined) return undefined;
    const head = Buffer.from(lines.slice(1).join(""), "base64");
    // A small file came whole, and its page is cut here. What is no text is left to the generic path.
    if (head.length <= scripts.INLINE_BYTES)
      return isTextBytes(head)
        ? { ...pageOfBytes(head, offset, limit), version: sha256(head) }
        : undefined;
    if (limit === 0) return undefined;
    const t = this.#commands.staging();
    const range = {
      from: String(offset + 1),
      limit: String(limit),
      after: String(offset + limit + 1),
    };
    const answer = await this.#commands.run({ p, t, ...range }, scripts.PAGE, { signal });
    return this.#largePage(answer, t, signal);
  }

  async #largePage(
    [end = "", size = "0", ...encoded]: readonly string[],
    staged: string,
    signal: AbortSignal | undefined,
  ): Promise<VolumePage | undefined> {
    const inline = Number(size) <= scripts.INLINE_BYTES;
    const bytes = inline
      ? Buffer.from(encoded.join(""), "base64")
      : await this.#commands.take(staged, { signal });
    if (bytes === undefined || !isTextBytes(bytes)) return undefined;
    const lines = countByteLines(bytes);
    if (end === "more") return { bytes, lines, atEnd: false };
    const [, newlines = "0", closed = "1"] = end.split(" ");
    const totalLines = Number(newlines) + (Number(closed) === 0 ? 1 : 0);
    return { bytes, lines, atEnd: true, totalLines };
  }

  async grep(query: GrepQuery): Promise<GrepStream | undefined> {
    const { pattern, root, signal } = query;
    if (
      pattern.regex ||
      pattern.ignoreCase ||
      Buffer.byteLength(pattern.source) > MAX_PATTERN_BYTES
    )
      return undefined;
    const host = this.#host(root);
    const found = await orMissing(
      this.#commands.run({ p: host, q: pattern.source }, scripts.searchScript(host === "/"), {
        signal,
      }),
    );
    const paths = (found ?? []).flatMap((name) => {
      const path = name === host ? root : this.#virtual(root, name);
      return path !== undefined && !path.includes("\ufffd") && query.accepts(path) ? [path] : [];
    });
    return {
      sorted: true,
      batches: matchesOf(paths.toSorted(comparePaths), query, (path) => this.get(path, query)),
    };
  }

  async removeTree(path: string, call: VolumeCall): Promise<number> {
    const lines = await orMissing(
      this.#commands.run({ p: this.#host(path) }, mutations.REMOVE_TREE, call),
    );
    return Number(lines?.[0] ?? 0);
  }

  async moveFile(
    from: string,
    to: string,
    { overwrite, signal }: { overwrite: boolean } & VolumeCall,
  ): Promise<true> {
    const [p, q] = [this.#host(from), this.#host(to)];
    // In one order for everybody, so that two moves never wait for each other.
    const [l = "", m = ""] = [lockOf(p), lockOf(q)].toSorted();
    await this.#commands.run({ p, q, l, m }, mutations.moveFileScript(overwrite), { signal });
    return true;
  }

  async copyFile(
    from: string,
    to: string,
    { overwrite, signal }: { overwrite: boolean } & VolumeCall,
  ): Promise<true> {
    const variables = { p: this.#host(from), q: this.#host(to), r: randomName() };
    await this.#commands.run(variables, mutations.copyFileScript(overwrite), { signal });
    return true;
  }

  async moveTree(from: string, to: string, call: VolumeCall): Promise<number> {
    const lines = await this.#commands.run(
      { p: this.#host(from), q: this.#host(to) },
      mutations.MOVE_TREE,
      call,
    );
    return Number(lines[0] ?? 0);
  }

  #host(path: string): string {
    return path === "/" ? this.#root || "/" : this.#root + path;
  }

  /** The path of a name that `find "$p/."` printed. */
  #virtual(directory: string, name: string): string | undefined {
    const prefix = `${this.#host(directory)}/./`;
    if (!name.startsWith(prefix)) return undefined;
    return `${directory === "/" ? "" : directory}/${name.slice(prefix.length)}`;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function lockOf(host: string): string {
  return `${STAGING}/lock-${sha256(Buffer.from(host)).slice(0, 32)}`;
}

async function orMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (VolumeError.isInstance(error) && error.code === "not_found") return undefined;
    throw error;
  }
}

/** A missing file, or a directory in its place, has not the version that was asked for. */
async function asConflict(how: string, answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    const gone =
      VolumeError.isInstance(error) &&
      (error.code === "not_found" || error.code === "not_directory");
    throw how === "version" && gone ? new VolumeError("conflict") : error;
  }
}
