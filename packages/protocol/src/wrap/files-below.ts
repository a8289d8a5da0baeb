import { canonicalPath } from "../paths/path.js";
import type { CallOptions } from "../types/options.js";
import type { BackendProtocolV2 } from "../types/protocol.js";

/**
 * Every file at or below a path, canonical. `undefined` when that cannot be told for certain: then nothing that depends on
 * it may be allowed.
 */
export async function filesBelow(
  backend: BackendProtocolV2,
  path: string,
  options: CallOptions,
): Promise<string[] | undefined> {
  // Only backends with our rules are known to leave out no dotfile in a glob.
  if (backend.semantics !== 1) return walk(backend, path, options);
  const found = await backend.glob("**/*", path, options);
  if (found.code === "not_found") return [];
  if (found.files === undefined || found.truncated === true || found.warnings !== undefined)
    return undefined;
  return canonicalAll(found.files.map((file) => file.path));
}

async function walk(
  backend: BackendProtocolV2,
  path: string,
  options: CallOptions,
): Promise<string[] | undefined> {
  const files: string[] = [];
  const pending = [path];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    const listed = await backend.ls(directory, options);
    if (listed.files === undefined) {
      // A file as the start has no children; anywhere else the answer is incomplete.
      if (directory === path) return [path];
      return undefined;
    }
    for (const entry of listed.files) {
      if (entry.is_dir === true || entry.path.endsWith("/")) pending.push(entry.path);
      else files.push(entry.path);
    }
  }
  return canonicalAll(files);
}

function canonicalAll(paths: readonly string[]): string[] | undefined {
  const canonical: string[] = [];
  for (const path of paths) {
    const result = canonicalPath(path);
    if (result.failure !== undefined) return undefined;
    canonical.push(result.path);
  }
  return canonical;
}
