import { failureFromThrown } from "../errors/from-thrown.js";
import { failure } from "../errors/messages.js";
import type { Failure } from "../types/outcome.js";
import { pageOf, DEFAULT_LIMIT } from "../text/page.js";
import type { BackendProtocolV2 } from "../types/foreign.js";
import type { Filesystem, SandboxFilesystem } from "../types/protocol.js";
import { normaliseForeign } from "./normalise-foreign.js";
import type { FileDataV2, ReadResult } from "../types/results.js";
import { toFileDataV2 } from "./file-data.js";
import { isBackendV2, isSandboxProtocol } from "./guards.js";
import type { AnyBackendProtocol, AnySandboxProtocol } from "./any-backend.js";
import type { BackendProtocolV1 } from "./protocol-v1.js";

/**
 * Any backend as a {@link Filesystem}. One that declares `semantics` comes back as it is; one of another package is
 * normalised: its answers become outcomes, what it throws a failure, and an option that it would ignore `unsupported`; one of
 * the first version is adapted. `id`, `routePrefixes`, `execute` and its optional methods are kept.
 *
 * Throws a TypeError for what is no backend.
 */
export function adaptBackendProtocol(backend: AnySandboxProtocol): SandboxFilesystem;
export function adaptBackendProtocol(backend: AnyBackendProtocol): Filesystem;
export function adaptBackendProtocol(backend: AnyBackendProtocol): Filesystem {
  if (typeof backend !== "object" || backend === null)
    throw new TypeError("A backend must be an object with the methods of the protocol.");
  if (!isBackendV2(backend)) return normaliseForeign(wrapV1(requireV1(backend)));
  return backend.semantics === 1 ? (backend as unknown as Filesystem) : normaliseForeign(backend);
}

/** As {@link adaptBackendProtocol}, for a backend that can execute. */
export function adaptSandboxProtocol(sandbox: AnySandboxProtocol): SandboxFilesystem {
  if (!isSandboxProtocol(sandbox)) throw new TypeError("A sandbox needs 'execute' and 'id'.");
  return adaptBackendProtocol(sandbox);
}

function requireV1(backend: BackendProtocolV1): BackendProtocolV1 {
  if (typeof backend.lsInfo === "function" && typeof backend.readRaw === "function") return backend;
  throw new TypeError(
    "A backend needs at least the methods ls, read, readRaw, write, edit, glob and grep.",
  );
}

function wrapV1(v1: BackendProtocolV1): BackendProtocolV2 {
  const adapted: BackendProtocolV2 = {
    ls: (path) => attemptV1(path, async () => ({ files: await v1.lsInfo(path) })),
    glob: (pattern, path) =>
      attemptV1(path, async () => ({ files: await v1.globInfo(pattern, path) })),
    readRaw: (path) => attemptV1(path, async () => ({ data: await rawV1(v1, path) })),
    read: (path, offset, limit) =>
      attemptV1(path, async () => pageV1(await rawV1(v1, path), path, offset, limit)),
    grep: (pattern, path, glob, maxCount) =>
      attemptV1(path, async () => {
        const found = await v1.grepRaw(pattern, path, glob);
        if (typeof found === "string") return { ...failure("unavailable", path, found) };
        if (maxCount === undefined || maxCount === null || found.length <= maxCount)
          return { matches: found };
        return { matches: found.slice(0, maxCount), truncated: true };
      }),
    write: (path, content) => attemptV1(path, async () => v1.write(path, content), true),
    edit: (path, old, replacement, all) =>
      attemptV1(path, async () => v1.edit(path, old, replacement, all), true),
  };
  keepOptionalMethods(v1, adapted);
  keepProperties(v1, adapted);
  return adapted;
}

function keepOptionalMethods(v1: BackendProtocolV1, adapted: BackendProtocolV2): void {
  if (v1.delete !== undefined) adapted.delete = (path) => v1.delete?.(path) ?? unsupported(path);
  if (v1.uploadFiles !== undefined)
    adapted.uploadFiles = (files) =>
      v1.uploadFiles?.(files.map(([path, bytes]) => [path, bytes])) ?? [];
  if (v1.downloadFiles !== undefined)
    adapted.downloadFiles = (paths) => v1.downloadFiles?.(paths) ?? [];
}

function unsupported(path: string): Failure {
  return failure("unsupported", path);
}

/** Properties are read through, because `id` of a sandbox may be known only once it has started. */
function keepProperties(v1: BackendProtocolV1, adapted: BackendProtocolV2): void {
  for (const name of ["id", "routePrefixes", "execute"]) {
    if (!(name in v1)) continue;
    Object.defineProperty(adapted, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value: unknown = Reflect.get(v1, name, v1);
        return typeof value === "function" ? value.bind(v1) : value;
      },
    });
  }
}

async function rawV1(v1: BackendProtocolV1, path: string): Promise<FileDataV2> {
  return toFileDataV2(await v1.readRaw(path), path);
}

/** Pages from the raw file: the text that `read` of the first version gives is numbered for display. */
function pageV1(data: FileDataV2, path: string, offset = 0, limit = DEFAULT_LIMIT): ReadResult {
  const { content, mimeType } = data;
  if (typeof content !== "string") return { content, mimeType };
  const page = pageOf(content, offset, limit);
  return page === undefined ? failure("invalid_range", path) : { ...page, mimeType };
}

async function attemptV1<T>(
  path: unknown,
  task: () => Promise<T>,
  mayHaveChanged = false,
): Promise<T | Failure> {
  try {
    return await task();
  } catch (error) {
    // The first version throws plain errors; "not found" is the one thing its messages agree on.
    const missing = error instanceof Error && /not found/i.test(error.message);
    return missing
      ? failure("not_found", path)
      : failureFromThrown(error, path, { mayHaveChanged });
  }
}
