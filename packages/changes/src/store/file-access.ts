import { optionsOf } from "@fs/protocol/async";
import type {
  AnyBackendProtocol,
  ErrorCode,
  FileInfo,
  Filesystem,
  UploadCondition,
} from "@fs/protocol";
import { adaptBackendProtocol } from "@fs/protocol";
import { encodeText, VolumeError } from "@fs/protocol/author";

/** A file as it was read. */
export interface SeenFile {
  readonly bytes: Uint8Array;
  readonly version?: string | undefined;
}

/** What a listing or a look without reading tells of a file. */
export interface FileFacts {
  /** Bytes; absent where the storage does not say. */
  readonly size?: number | undefined;
  readonly version?: string | undefined;
}

/** A file to store, and on which condition. */
export type StoreFile = readonly [path: string, bytes: Uint8Array, condition?: UploadCondition];

/**
 * Whole files of a backend, by bytes: what change sets, overlays and journals need of one. Every method throws a
 * `VolumeError` for a call that failed, and answers `undefined` for a file that is not there.
 */
export interface FileAccess {
  readonly backend: Filesystem;
  /** Returns whether the owner of a path has versions and stores files on a condition. */
  guardedAt(path: string): boolean;
  get(path: string, signal?: AbortSignal): Promise<SeenFile | undefined>;
  /** Many files in one call, in input order. */
  getMany(paths: readonly string[], signal?: AbortSignal): Promise<Array<SeenFile | undefined>>;
  /** Size and version of a file; it is read only where the backend has no `stat`. */
  look(path: string, signal?: AbortSignal): Promise<FileFacts | undefined>;
  put(
    path: string,
    bytes: Uint8Array,
    condition?: UploadCondition,
    signal?: AbortSignal,
  ): Promise<FileFacts>;
  /** Many files in one call, in input order; each is a version, or why it was not stored. */
  putMany(
    files: readonly StoreFile[],
    signal?: AbortSignal,
  ): Promise<Array<FileFacts | VolumeError>>;
  /** Removes a file, with `version` only that one. Returns whether there was one. */
  remove(path: string, version?: string, signal?: AbortSignal): Promise<boolean>;
  /** Every file below a directory that matches a pattern. An answer that is incomplete is `unavailable`. */
  files(directory: string, pattern?: string, signal?: AbortSignal): Promise<FileInfo[]>;
}

const ABSENT: ReadonlySet<ErrorCode> = new Set(["not_found", "not_directory", "is_directory"]);

/**
 * Whole files of any backend that can upload, download and delete. Throws a `TypeError` for one that cannot.
 */
export function fileAccess(source: AnyBackendProtocol): FileAccess {
  const backend = adaptBackendProtocol(source);
  for (const method of ["uploadFiles", "downloadFiles", "delete"] as const) {
    if (typeof backend[method] !== "function")
      throw new TypeError(`The backend needs '${method}', which this one does not have.`);
  }
  const access: FileAccess = {
    backend,
    guardedAt: (path) => {
      const features = backend.featuresAt?.(path) ?? backend.features ?? [];
      return features.includes("versions") && features.includes("conditionalUploads");
    },
    get: async (path, signal) => (await access.getMany([path], signal))[0],
    getMany: async (paths, signal) => {
      if (paths.length === 0) return [];
      const answers = (await backend.downloadFiles?.([...paths], optionsOf(signal))) ?? [];
      return paths.map((path, index) => {
        const answer = answers[index];
        if (answer === undefined) throw new VolumeError("unavailable", undefined, { path });
        if (answer.error === null) return { bytes: answer.content, version: answer.version };
        const code = answer.code ?? codeOf(answer.error);
        if (ABSENT.has(code)) return undefined;
        throw new VolumeError(code, undefined, { path });
      });
    },
    look: async (path, signal) => {
      if (backend.stat === undefined) {
        const file = await access.get(path, signal);
        return file && { size: file.bytes.length, version: file.version };
      }
      const result = await backend.stat(path, optionsOf(signal));
      if (!result.error) {
        const { is_dir, size, version } = result.info;
        return is_dir === true ? undefined : { size, version };
      }
      if (ABSENT.has(result.code)) return undefined;
      throw new VolumeError(result.code, result.error, { path });
    },
    put: async (path, bytes, condition, signal) => {
      const [stored] = await access.putMany([[path, bytes, condition ?? {}]], signal);
      if (stored instanceof VolumeError) throw stored;
      return stored ?? {};
    },
    putMany: async (files, signal) => {
      const uploads = files.map(
        ([path, bytes, condition]): [string, Uint8Array, UploadCondition?] =>
          condition === undefined || Object.keys(condition).length === 0
            ? [path, bytes]
            : [path, bytes, condition],
      );
      const answers = (await backend.uploadFiles?.(uploads, optionsOf(signal))) ?? [];
      return files.map(([path], index) => {
        const answer = answers[index];
        if (answer === undefined) return new VolumeError("unavailable", undefined, { path });
        if (answer.error === null) return { version: answer.version, size: answer.size };
        return new VolumeError(answer.code ?? codeOf(answer.error), undefined, { path });
      });
    },
    remove: async (path, version, signal) => {
      const condition = version === undefined ? {} : { ifVersion: version };
      const result = await backend.delete?.(path, { ...condition, ...optionsOf(signal) });
      if (!result?.error) return true;
      if (result.code === "not_found" || result.code === "not_directory") return false;
      // A directory is never removed by the version of a file: that file is not there.
      if (result.code === "is_directory" && version !== undefined) return false;
      throw new VolumeError(result.code, result.error, { path });
    },
    files: async (directory, pattern = "**/*", signal) => {
      const result = await backend.glob(pattern, directory, optionsOf(signal));
      if (result.error) {
        if (ABSENT.has(result.code)) return [];
        throw new VolumeError(result.code, result.error, { path: directory });
      }
      if (result.truncated === true || (result.warnings?.length ?? 0) > 0)
        throw new VolumeError("unavailable", INCOMPLETE, { path: directory });
      return result.files;
    },
  };
  return access;
}

const INCOMPLETE = "The listing of this directory is incomplete, so nothing was done with it.";

/** The code behind an error of a batch that carries none. */
export function codeOf(error: string): ErrorCode {
  if (error === "file_not_found") return "not_found";
  if (error === "is_directory" || error === "invalid_path" || error === "permission_denied")
    return error;
  return "unavailable";
}

/** The bytes of a value as JSON. */
export function jsonBytes(value: unknown): Uint8Array {
  return encodeText(`${JSON.stringify(value)}\n`);
}

/** The value of a JSON file that this package stored. Throws `unavailable` for one that is damaged. */
export function jsonOf(path: string, { bytes }: SeenFile): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new VolumeError("unavailable", "A stored record is damaged.", { path, cause });
  }
}
