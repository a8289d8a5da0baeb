import type { CallOptions, Outcome, UploadCondition } from "@fs/protocol";
import type { LoadedFile } from "@fs/protocol/bridge";
import type { BackendCalls } from "./backend-calls.js";
import type { PathLike } from "./paths.js";
import { type Stats, statsOf } from "./stats.js";

/** How a file is written: `w` replaces, `wx` only creates, `a` appends. */
export interface WriteFileOptions extends CallOptions {
  encoding?: BufferEncoding | null;
  flag?: "w" | "wx" | "a";
}

type Encoding<Name> = Name | ({ encoding: Name } & CallOptions);

/** The methods that read and write the content of files. */
export function contentMethods(calls: BackendCalls) {
  function readFile(path: PathLike, options: Encoding<BufferEncoding>): Promise<string>;
  function readFile(
    path: PathLike,
    options?: ({ encoding?: null } & CallOptions) | null,
  ): Promise<Buffer>;
  async function readFile(
    path: PathLike,
    options?: Encoding<BufferEncoding> | ({ encoding?: null } & CallOptions) | null,
  ): Promise<Buffer | string> {
    const { bytes } = await load(path, callOf(options));
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const encoding = encodingOf(options);
    return encoding === undefined ? buffer : buffer.toString(encoding);
  }

  /** The bytes of a file with its version, for {@link store}. */
  async function load(path: PathLike, call: CallOptions = {}): Promise<LoadedFile> {
    return calls.load(calls.target(path, "open"), call);
  }

  /**
   * Beyond Node, in one call: the stats of a path, `undefined` where nothing is, and the file that is there, or why there is
   * none; what {@link append} takes.
   */
  async function look(
    path: PathLike,
  ): Promise<{ stats: Stats | undefined; file: Outcome<LoadedFile> }> {
    const { info, file } = await calls.look(calls.target(path, "open"));
    return { stats: info && statsOf(info), file };
  }

  /** Beyond Node: as `appendFile`, for which the file need not be read once more. */
  async function append(
    path: PathLike,
    bytes: Uint8Array,
    seen?: Outcome<LoadedFile>,
    call: CallOptions = {},
  ): Promise<void> {
    const appended = (file: Uint8Array = new Uint8Array()): Uint8Array =>
      Buffer.concat([file, bytes]);
    await calls.update(calls.target(path, "open"), appended, call, seen);
  }

  /** Stores a file on a condition: `ifVersion` rejects with EBUSY, `ifAbsent` with EEXIST. Answers its version. */
  async function store(
    path: PathLike,
    bytes: Uint8Array,
    { ifAbsent, ifVersion, ...call }: UploadCondition & CallOptions = {},
  ): Promise<{ version?: string }> {
    const condition = {
      ...(ifAbsent && { ifAbsent }),
      ...(ifVersion !== undefined && { ifVersion }),
    };
    return calls.store(calls.target(path, "open"), bytes, condition, call);
  }

  async function writeFile(
    path: PathLike,
    data: string | Uint8Array,
    options?: WriteFileOptions | BufferEncoding | null,
  ): Promise<void> {
    const call = callOf(options);
    const { flag = "w" } = typeof options === "object" ? (options ?? {}) : {};
    const target = calls.target(path, "open");
    const bytes = bytesOf(data, options);
    if (flag === "a") return append(path, bytes, undefined, call);
    if (flag !== "w" && flag !== "wx") calls.fail(target, "invalid_argument");
    await calls.store(target, bytes, flag === "wx" ? { ifAbsent: true } : {}, call);
  }

  async function appendFile(
    path: PathLike,
    data: string | Uint8Array,
    options?: BufferEncoding | Omit<WriteFileOptions, "flag"> | null,
  ): Promise<void> {
    const encoding = encodingOf(options) ?? null;
    await writeFile(path, data, { ...callOf(options), encoding, flag: "a" });
  }

  return { readFile, load, look, store, writeFile, append, appendFile };
}

function callOf(options: object | string | null | undefined): CallOptions {
  const signal: unknown =
    typeof options === "object" && options !== null ? Reflect.get(options, "signal") : undefined;
  return signal instanceof AbortSignal ? { signal } : {};
}

/** How `node:fs` takes an encoding: its name, or an option. */
export type Encoded =
  | { readonly encoding?: BufferEncoding | null }
  | BufferEncoding
  | null
  | undefined;

/** The encoding that options name, if any. */
export function encodingOf(options: Encoded): BufferEncoding | undefined {
  return (typeof options === "string" ? options : options?.encoding) ?? undefined;
}

/** The bytes of a text in the encoding that options name, by default UTF-8. */
export function bytesOf(data: string | Uint8Array, options: Encoded): Uint8Array {
  return typeof data === "string" ? Buffer.from(data, encodingOf(options) ?? "utf8") : data;
}
