import {
  comparePaths,
  isCode,
  isUncertainCode,
  MAX_PATH_BYTES,
  type Volume,
  type VolumeEntry,
  VolumeError,
  type VolumePage,
} from "@fs/protocol/author";
import { isTextBytes, countByteLines, pageOfBytes } from "@fs/protocol/hooks";
import { mapConcurrently, refuseAborted } from "@fs/protocol/async";
import { parseStat, type StatLine } from "./answer.js";
import type { SandboxChannel } from "./channel.js";
import { matchesOf } from "./candidate-search.js";
import { exactLines, exactNames } from "./exact-names.js";
import { fetchBatch } from "./fetch-batch.js";
import { putBatch } from "./put-batch.js";
import { comparableVersion } from "./put-scripts.js";
import { lockOf, SandboxCommands, sha256 } from "./sandbox-commands.js";
import * as mutations from "./mutation-scripts.js";
import * as scripts from "./scripts.js";
import { outsideTemporary, TEMPORARY } from "./temporary.js";

/** Commands under way at once for files that a batch could not carry. */
const WIDTH = 8;
/** Patterns longer than this are searched for on this side. */
const MAX_PATTERN_BYTES = 4096;

/**
 * Files of a sandbox, by commands and file transfer. The commands hold no path, pattern or content as written.
 *
 * @param root The directory of the sandbox that is `/` here; `""` for the sandbox's own.
 */
export function sandboxVolume(channel: SandboxChannel, root: string): Volume {
  const commands = new SandboxCommands(channel);
  const hostOf = (path: string): string =>
    path === "/" ? root || "/" : root + TEMPORARY.outside(path);
  /** The path of a name that `find "$p/."` printed. */
  const pathOf = (directory: string, name: string): string | undefined => {
    const prefix = `${hostOf(directory)}/./`;
    if (!name.startsWith(prefix)) return undefined;
    const below = `/${name.slice(prefix.length)}`;
    return TEMPORARY.isIn(below) ? undefined : (directory === "/" ? "" : directory) + below;
  };

  const volume: Volume = {
    directories: "real",
    collisions: "refused",

    async get(path, call) {
      const p = hostOf(path);
      const lines = await orMissing(commands.run({ p }, scripts.READ, call));
      const stat = parseStat(lines?.[0]);
      if (lines === undefined || stat === undefined) return undefined;
      const head = decoded(lines.slice(1));
      const inline = head.length <= scripts.INLINE_BYTES;
      const bytes = inline ? head : await channel.fetchFile(p, call);
      if (bytes === undefined) return undefined;
      return { bytes: plain(bytes), version: sha256(bytes), modifiedAt: stat.modifiedAt };
    },

    getMany: (all, call) =>
      outsideTemporary(all, String, async (paths) => {
        const read = await fetchBatch(commands, paths.map(hostOf), call.signal);
        return mapConcurrently(read, WIDTH, async (file, index) => {
          try {
            const path = paths[index] ?? "/";
            const value =
              file === "alone"
                ? await volume.get(path, call)
                : { ...file, version: sha256(file.bytes) };
            return { status: "fulfilled", value };
          } catch (reason) {
            return { status: "rejected", reason };
          }
        });
      }),

    async put(path, bytes, condition) {
      const [outcome] = await putBatch(commands, [[hostOf(path), bytes, condition]], condition);
      if (outcome?.status === "fulfilled") return outcome.value;
      throw outcome?.reason;
    },

    putMany: (all, call) =>
      outsideTemporary(
        all,
        ([path]) => path,
        async (files) => {
          const hosted = files.map(([path, bytes, on]) => [hostOf(path), bytes, on] as const);
          return putBatch(commands, hosted, call);
        },
      ),

    async remove(path, { ifVersion, ifEmpty, signal }) {
      const p = hostOf(path);
      const variables = { p, l: lockOf(p), v: comparableVersion(ifVersion) };
      const body =
        ifEmpty === true ? mutations.REMOVE_EMPTY : mutations.removeScript(ifVersion !== undefined);
      return (await orMissing(commands.change(variables, body, { signal }))) !== undefined;
    },

    async *list(directory, { deep, glob, signal }) {
      const p = hostOf(directory);
      // The names are a sieve only: what passes is matched again above, by the one matcher.
      const names =
        glob?.names === undefined || glob.names.length > scripts.MAX_NAMES ? [] : glob.names;
      const variables = Object.fromEntries(names.map((name, index) => [`n${index}`, name]));
      const body = deep ? scripts.listDeepScript(p === "/", names.length) : scripts.LIST;
      const lines = await commands.run({ p, ...variables }, body, { signal });
      for (const line of await exactLines(commands, lines, { signal })) {
        const stat = parseStat(line);
        const path = stat === undefined ? undefined : pathOf(directory, stat.name);
        const entry = path === undefined ? undefined : entryOf(path, stat);
        if (entry !== undefined) yield entry;
      }
    },

    async stat(path, call) {
      const lines = await orMissing(commands.run({ p: hostOf(path) }, scripts.STAT_PATH, call));
      const entry = entryOf(path, parseStat(lines?.[0]));
      return entry?.kind === "file" ? { ...entry, version: lines?.[1] } : entry;
    },

    async readPage(path, { offset, limit, signal }) {
      const p = hostOf(path);
      const lines = await orMissing(commands.run({ p }, scripts.READ, { signal }));
      if (lines === undefined) return undefined;
      const head = decoded(lines.slice(1));
      // A small file came whole, and its page is cut here. What is no text is left to the generic path.
      if (head.length <= scripts.INLINE_BYTES) {
        if (!isTextBytes(head)) return undefined;
        return { ...pageOfBytes(head, offset, limit), version: sha256(head) };
      }
      if (limit === 0) return undefined;
      const t = commands.staging();
      const after = String(offset + limit + 1);
      const variables = { p, t, from: String(offset + 1), limit: String(limit), after };
      return largePage(
        commands,
        await commands.run(variables, scripts.PAGE, { signal }),
        t,
        signal,
      );
    },

    async grep(query) {
      const { pattern, root: top, signal } = query;
      const long = Buffer.byteLength(pattern.source) > MAX_PATTERN_BYTES;
      if (pattern.regex || pattern.ignoreCase || long) return undefined;
      const p = hostOf(top);
      const script = scripts.searchScript(p === "/");
      const found = await orMissing(commands.run({ p, q: pattern.source }, script, { signal }));
      const named = await exactNames(commands, found ?? [], { signal });
      const paths = named.flatMap((name) => {
        const path = name === p ? top : pathOf(top, name);
        return path !== undefined && query.accepts(path) ? [path] : [];
      });
      const getMany = async (wanted: readonly string[]) =>
        (await volume.getMany?.(wanted, query)) ?? [];
      return { sorted: true, batches: matchesOf(paths.toSorted(comparePaths), query, getMany) };
    },

    async removeTree(path, call) {
      // What is refused before the removal begins leaves everything, and does not say otherwise.
      await commands.prepare(call);
      refuseAborted(call.signal);
      const p = hostOf(path);
      const x = p.slice(0, p.lastIndexOf("/") + 1) + TEMPORARY.fresh();
      const removal = commands.change({ p, x }, mutations.REMOVE_TREE, call);
      const lines = await orMissing(removal.catch(partMayBeGone));
      return Number(lines?.[0] ?? 0);
    },

    async moveFile(from, to, { overwrite, signal }) {
      const [p, q] = [hostOf(from), hostOf(to)];
      // In one order for everybody, so that two moves never wait for each other.
      const [l = "", m = ""] = [lockOf(p), lockOf(q)].toSorted();
      const body = mutations.moveFileScript(overwrite);
      const [said] = await commands.change({ p, q, l, m }, body, { signal });
      return said === mutations.DECLINED ? undefined : true;
    },

    async copyFile(from, to, { overwrite, signal }) {
      const variables = { p: hostOf(from), q: hostOf(to), r: TEMPORARY.fresh() };
      await commands.change(variables, mutations.copyFileScript(overwrite), { signal });
      return true;
    },

    async moveTree(from, to, call) {
      const p = hostOf(from);
      const variables = { p, q: hostOf(to), m: longerThanFits(from, to, p) };
      const [count] = await commands.change(variables, mutations.MOVE_TREE, call);
      return count === mutations.DECLINED ? undefined : Number(count ?? 0);
    },
  };
  return volume;
}

async function largePage(
  commands: SandboxCommands,
  [version, end = "", size = "0", ...encoded]: readonly string[],
  staged: string,
  signal: AbortSignal | undefined,
): Promise<VolumePage | undefined> {
  const inline = Number(size) <= scripts.INLINE_BYTES;
  const bytes = inline ? decoded(encoded) : await commands.take(staged, { signal });
  if (bytes === undefined || !isTextBytes(bytes)) return undefined;
  const lines = countByteLines(bytes);
  if (end === "more") return { bytes, lines, atEnd: false, version };
  const [, newlines = "0", closed = "1"] = end.split(" ");
  const totalLines = Number(newlines) + (Number(closed) === 0 ? 1 : 0);
  return { bytes, lines, atEnd: true, totalLines, version };
}

/**
 * A pattern for what `find "$p/."` prints of those files whose paths a move would make too long. None where the move does not
 * make them longer: then they fit as they are.
 */
function longerThanFits(from: string, to: string, p: string): string {
  const growth = Buffer.byteLength(to) - Buffer.byteLength(from);
  if (growth <= 0) return "";
  const longest = MAX_PATH_BYTES - Buffer.byteLength(to) + Buffer.byteLength(`${p}/.`);
  return `${"?".repeat(longest + 1)}*`;
}

function entryOf(path: string, stat: StatLine | undefined): VolumeEntry | undefined {
  if (stat === undefined || stat.kind === "other") return undefined;
  const { kind, size, modifiedAt } = stat;
  return kind === "file" ? { path, kind, size, modifiedAt } : { path, kind, modifiedAt };
}

function decoded(lines: readonly string[]): Uint8Array {
  return plain(Buffer.from(lines.join(""), "base64"));
}

/** The bytes as what every other backend gives, too: no Buffer, which is another type to JSON and to equality. */
function plain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A removal that has begun, and did not say how it ended, or was not allowed to remove something. */
function partMayBeGone(error: unknown): never {
  if (!VolumeError.isInstance(error)) throw error;
  if (error.code !== "permission_denied" && !isUncertainCode(error.code)) throw error;
  throw new VolumeError(
    error.code,
    "The removal of the directory had begun, and a part of it may be gone. List it to see what is left.",
    { cause: error },
  );
}

async function orMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isCode(error, "not_found")) return undefined;
    throw error;
  }
}
