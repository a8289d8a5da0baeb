import type { AnyBackendProtocol } from "@fs/protocol";
import { canonicalPath, checkedConfiguration } from "@fs/protocol/author";
import { BackendCalls } from "./backend-calls.js";
import { directoryMethods } from "./directories.js";
import { contentMethods } from "./file-content.js";
import { relocationMethods } from "./relocation.js";
import { removalMethods } from "./removal.js";
import { unsupportedMethods } from "./unsupported.js";

/** Options of {@link nodeFilesystem}. */
export interface NodeFilesystemOptions {
  /** The absolute path that relative ones start from. Default `/`. */
  readonly cwd?: string;
  /** Asked at every call of the backend for the signal that ends it, unless the caller names one. Default: none. */
  readonly signal?: () => AbortSignal | undefined;
}

/** A filesystem with the methods, the answers and the errors of `node:fs/promises`. */
export type NodeFilesystem = ReturnType<typeof nodeFilesystem>;

/**
 * Any backend as an object like `node:fs/promises`. Parents of a file are implicit: it can be written without `mkdir`.
 * A method rejects with a `FilesystemError`, and with a TypeError for what is no path.
 *
 * Throws a TypeError for wrong options, and for what is no backend.
 *
 * @example
 * const fs = nodeFilesystem(backend, { cwd: "/project" });
 * await fs.writeFile("notes.md", "# Notes\n");
 */
export function nodeFilesystem(backend: AnyBackendProtocol, options: NodeFilesystemOptions = {}) {
  checkedConfiguration("nodeFilesystem", options, { cwd: "text", signal: "function" });
  const cwd = canonicalPath(options.cwd ?? "/");
  if (cwd.failure !== undefined) throw new TypeError(cwd.failure.error);
  const calls = new BackendCalls(backend, cwd.path, options.signal);
  return {
    ...contentMethods(calls),
    ...directoryMethods(calls),
    ...removalMethods(calls),
    ...relocationMethods(calls),
    ...unsupportedMethods(calls),
  };
}
