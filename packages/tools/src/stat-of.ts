import type { BackendProtocolV2, CallOptions, FileInfo } from "@fs/protocol";
import { parentOf } from "@fs/protocol/volume";
import { type FailedResult } from "./answer.js";
import { canonicalName } from "./known-files.js";

/** What is known of a file without its content. */
export interface FileFacts extends FileInfo {
  readonly created_at?: string;
  readonly mimeType?: string;
}

type StatMethod = (
  path: string,
  options: CallOptions,
) => Promise<FailedResult & { readonly info?: FileFacts }>;

/**
 * Size, times and version of a file or directory: one call where the backend can, otherwise from the listing of the
 * directory it is in. Fails with `not_found` and whatever the backend answers.
 */
export async function statOf(
  backend: BackendProtocolV2,
  path: string,
  options: CallOptions,
): Promise<FailedResult & { readonly info?: FileFacts }> {
  if (hasStat(backend)) return backend.stat(path, options);
  const name = canonicalName(path);
  if (name === "/") return { info: { path: "/", is_dir: true } };
  const { files, error, code } = await backend.ls(parentOf(name), options);
  if (files === undefined)
    return { error: error ?? "the call failed.", ...(code === undefined ? {} : { code }) };
  const info = files.find((file) => file.path === name || file.path === `${name}/`);
  return info === undefined
    ? { error: `There is nothing at ${name}.`, code: "not_found" }
    : { info };
}

function hasStat(backend: BackendProtocolV2): backend is BackendProtocolV2 & { stat: StatMethod } {
  return typeof Reflect.get(backend, "stat") === "function";
}
