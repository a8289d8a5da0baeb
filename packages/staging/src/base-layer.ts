import { optionsOf } from "@fs/protocol/async";
import { codeOf, type FileAccess, fileAccess, hashOf, type Side, sideOf } from "@fs/changes";
import type { AnyBackendProtocol, ErrorCode, FileInfo, Filesystem } from "@fs/protocol";
import {
  encodeText,
  isWithin,
  VolumeError,
  type VolumeEntry,
  type VolumeFile,
} from "@fs/protocol/author";

/** The versions of the base, as the merged tree shows them: told from those of staged files by their first letter. */
export const BASE_VERSION = "b:";

const ABSENT: ReadonlySet<ErrorCode> = new Set(["not_found", "not_directory", "is_directory"]);

/** The files below the overlay. It is only ever read here; what fails is thrown, and never taken for a missing file. */
export class BaseLayer {
  readonly files: FileAccess;
  readonly #backend: Filesystem;

  constructor(source: AnyBackendProtocol) {
    this.files = fileAccess(source);
    this.#backend = this.files.backend;
  }

  /** One call. */
  async get(path: string, signal?: AbortSignal): Promise<VolumeFile | undefined> {
    const result = await this.#backend.readRaw(path, optionsOf(signal));
    if (result.error) return absentOr(result, path);
    const { content, created_at, modified_at } = result.data;
    const bytes = typeof content === "string" ? encodeText(content) : content;
    const version = BASE_VERSION + (result.version ?? hashOf(bytes));
    return { bytes, version, modifiedAt: modified_at, createdAt: created_at };
  }

  /** Which of these files are there. One call. */
  async existing(paths: readonly string[], signal?: AbortSignal): Promise<Set<string>> {
    const files = await this.files.getMany(paths, signal);
    return new Set(paths.filter((_, index) => files[index] !== undefined));
  }

  /** What is at each of these paths, where something is. One call, which reads the files. */
  async kinds(
    paths: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, VolumeEntry["kind"]>> {
    if (paths.length === 0) return new Map();
    const answers = (await this.#backend.downloadFiles?.([...paths], optionsOf(signal))) ?? [];
    const found = new Map<string, VolumeEntry["kind"]>();
    for (const [index, path] of paths.entries()) {
      const answer = answers[index];
      if (answer?.error === null) found.set(path, "file");
      else if (answer?.error === "is_directory") found.set(path, "directory");
      else if (answer === undefined || !ABSENT.has(answer.code ?? codeOf(answer.error)))
        throw new VolumeError(answer?.code ?? "unavailable", undefined, { path });
    }
    return found;
  }

  /** What is at a path, without its content where the base can tell. */
  async look(path: string, signal?: AbortSignal): Promise<VolumeEntry | undefined> {
    if (this.#backend.stat === undefined) return this.#lookByReading(path, signal);
    const result = await this.#backend.stat(path, optionsOf(signal));
    if (result.error) return absentOr(result, path);
    const entry = entryOfInfo(result.info);
    if (entry.kind === "directory" || entry.version !== undefined)
      return { ...entry, createdAt: result.info.created_at };
    return this.#lookByReading(path, signal);
  }

  /** The children of a directory; none where there is none. One call. */
  async children(directory: string, signal?: AbortSignal): Promise<VolumeEntry[]> {
    const result = await this.#backend.ls(directory, optionsOf(signal));
    if (result.error) return absentOr(result, directory) ?? [];
    refuseIncomplete(result, directory);
    return result.files.map(entryOfInfo);
  }

  /** The files below a directory. One call. */
  async below(directory: string, pattern: string, signal?: AbortSignal): Promise<VolumeEntry[]> {
    return (await this.files.files(directory, pattern, signal)).map(entryOfInfo);
  }

  /** Returns whether a directory holds a file that is not among these. One call. */
  async holdsMoreThan(
    directory: string,
    hidden: ReadonlySet<string>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const options = { limit: hidden.size + 1, ...optionsOf(signal) };
    const pages = this.#featuresAt(directory).includes("pages");
    const result = await this.#backend.glob("**/*", directory, pages ? options : optionsOf(signal));
    if (result.error) {
      absentOr(result, directory);
      return false;
    }
    if (result.files.some(({ path }) => !hidden.has(path))) return true;
    refuseIncomplete(result, directory);
    return false;
  }

  /** Returns whether a route of a composite is at or below a path: it can be neither removed nor moved. */
  routesWithin(path: string): boolean {
    if (!("routePrefixes" in this.#backend)) return false;
    const { routePrefixes: routes } = this.#backend;
    if (!Array.isArray(routes)) return false;
    return routes.some((route) => isWithin(String(route).replace(/\/$/, ""), path));
  }

  /** The file's state as a change set knows it: without its hash where the base has versions. */
  async sideOf(path: string, { size, version }: VolumeEntry, signal?: AbortSignal): Promise<Side> {
    if (size !== undefined && version !== undefined) return sideOfVersion(size, version);
    const file = await this.get(path, signal);
    if (file === undefined) throw new VolumeError("conflict", undefined, { path });
    return sideOfVersion(file.bytes.length, file.version);
  }

  #featuresAt(path: string): readonly string[] {
    return this.#backend.featuresAt?.(path) ?? this.#backend.features ?? [];
  }

  async #lookByReading(path: string, signal?: AbortSignal): Promise<VolumeEntry | undefined> {
    const file = await this.get(path, signal);
    if (file !== undefined) {
      const { bytes, version, modifiedAt, createdAt } = file;
      return { path, kind: "file", size: bytes.length, version, modifiedAt, createdAt };
    }
    const children = await this.children(path, signal);
    return children.length > 0 ? { path, kind: "directory" } : undefined;
  }
}

/** The state of a file of the base, by its merged version: a version of the storage, or a hash where it has none. */
export function sideOfVersion(size: number, version: string): Side {
  const name = version.slice(BASE_VERSION.length);
  return /^sha256:[0-9a-f]{64}$/.test(name) ? { size, hash: name } : { size, version: name };
}

/** The state of a file of the base that was read, with its hash. */
export function stateOf({ bytes, version }: VolumeFile): Side {
  return sideOf(bytes, sideOfVersion(bytes.length, version).version);
}

function entryOfInfo({ path, is_dir, size, modified_at, version }: FileInfo): VolumeEntry {
  const modifiedAt = modified_at;
  if (is_dir === true || path.endsWith("/"))
    return { path: path.replace(/\/$/, "") || "/", kind: "directory", modifiedAt };
  const merged = version === undefined ? undefined : BASE_VERSION + version;
  return { path, kind: "file", size, modifiedAt, version: merged };
}

function refuseIncomplete(
  { truncated, warnings }: { truncated?: boolean; warnings?: readonly unknown[] },
  path: string,
): void {
  if (truncated === true || (warnings?.length ?? 0) > 0)
    throw new VolumeError("unavailable", "The listing of this directory is incomplete.", { path });
}

function absentOr(failed: { error: string; code: ErrorCode }, path: string): undefined {
  if (ABSENT.has(failed.code)) return undefined;
  throw new VolumeError(failed.code, failed.error, { path });
}
