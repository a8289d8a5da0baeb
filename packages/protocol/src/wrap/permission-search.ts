import { failure, type Failure } from "../errors/messages.js";
import { canonicalPath } from "../paths/path.js";
import type { CallOptions, GrepOptions } from "../types/options.js";
import type { BackendProtocolV2 } from "../types/protocol.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult, LsResult } from "../types/results.js";
import type { PermissionRules } from "./permission-rules.js";

/** Matches asked for at first when some of them may have to stay hidden. */
const FIRST_BATCH = 1000;
const GROWTH = 8;

/** The children of a directory that the rules show. */
export async function lsPermitted(
  inner: BackendProtocolV2,
  rules: PermissionRules,
  path: string,
  options: CallOptions | undefined,
): Promise<LsResult> {
  const hidden = refuseHidden(rules, path, "directory");
  if (hidden !== undefined) return hidden;
  const result = await inner.ls(path, options);
  return result.files === undefined ? result : { ...result, files: shown(rules, result.files) };
}

/** The matching files that the rules show. */
export async function globPermitted(
  inner: BackendProtocolV2,
  rules: PermissionRules,
  pattern: string,
  path: string | undefined,
  options: CallOptions | undefined,
): Promise<GlobResult> {
  const hidden = refuseHidden(rules, path, "either");
  if (hidden !== undefined) return hidden;
  const result = await inner.glob(pattern, path, options);
  return result.files === undefined ? result : { ...result, files: shown(rules, result.files) };
}

/**
 * The matches in files that may be read. Asks for more until the cap is filled with permitted ones or nothing is left, so
 * that neither the number nor `truncated` tells of a hidden file. A file that needs a human's consent yields nothing.
 */
export async function grepPermitted(
  inner: BackendProtocolV2,
  rules: PermissionRules,
  args: readonly [
    pattern: string,
    path?: string | null | undefined,
    glob?: string | null | undefined,
    maxCount?: number | null | undefined,
    options?: GrepOptions | undefined,
  ],
): Promise<GrepResult> {
  const [pattern, path, glob, maxCount, options] = args;
  const hidden = refuseHidden(rules, path, "either");
  if (hidden !== undefined) return hidden;
  if (!rules.restrictsWithin("read", canonicalOr(path)) || !isCap(maxCount)) {
    const found = await inner.grep(pattern, path, glob, maxCount, options);
    if (found.matches === undefined) return found;
    return { ...found, matches: permittedMatches(rules, found.matches) };
  }
  for (let ask = Math.max(FIRST_BATCH, maxCount + 1); ; ask *= GROWTH) {
    const found = await inner.grep(pattern, path, glob, ask, options);
    if (found.matches === undefined) return found;
    const matches = permittedMatches(rules, found.matches);
    if (matches.length > maxCount) {
      return { ...found, matches: matches.slice(0, maxCount), truncated: true };
    }
    // A backend may stop at a cap of its own; asking for more would then never end.
    if (found.truncated !== true || found.matches.length < ask) return { ...found, matches };
  }
}

/** Anything else is refused by the backend below, or is no cap. */
function isCap(maxCount: number | null | undefined): maxCount is number {
  return typeof maxCount === "number" && Number.isSafeInteger(maxCount) && maxCount >= 0;
}

function permittedMatches(rules: PermissionRules, matches: readonly GrepMatch[]): GrepMatch[] {
  const modes = new Map<string, boolean>();
  return matches.filter(({ path }) => {
    const known = modes.get(path);
    if (known !== undefined) return known;
    const allowed = rules.decide("read", canonicalOr(path)) === "allow";
    modes.set(path, allowed);
    return allowed;
  });
}

function shown(rules: PermissionRules, files: readonly FileInfo[]): FileInfo[] {
  return files.filter((file) => {
    const canonical = canonicalPath(file.path);
    if (canonical.failure !== undefined) return false;
    const directory = file.is_dir === true || file.path.endsWith("/");
    return rules.shows(canonical.path, directory ? "directory" : "file");
  });
}

function refuseHidden(
  rules: PermissionRules,
  path: string | null | undefined,
  kind: "directory" | "either",
): Failure | undefined {
  if (path === undefined || path === null || path === "") return undefined;
  const canonical = canonicalPath(path);
  if (canonical.failure !== undefined) return canonical.failure;
  return rules.shows(canonical.path, kind) ? undefined : failure("permission_denied", path);
}

function canonicalOr(path: string | null | undefined): string {
  const canonical = canonicalPath(path ?? "/");
  return canonical.failure === undefined ? canonical.path : "/";
}
