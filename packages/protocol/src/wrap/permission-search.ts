import { grepVisible } from "../call/grep-visible.js";
import { pageVisible } from "../call/page-visible.js";
import { failure } from "../errors/messages.js";
import { canonicalPath } from "../paths/path.js";
import type { PageOptions } from "../types/options.js";
import type { Failure } from "../types/outcome.js";
import type { Filesystem } from "../types/protocol.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult, LsResult } from "../types/results.js";
import type { PermissionRules } from "./permission-rules.js";

/** The children of a directory that the rules show. */
export function lsPermitted(
  inner: Filesystem,
  rules: PermissionRules,
  path: string | undefined,
  options: PageOptions | undefined,
): Promise<LsResult> {
  return search(rules, path, "directory", async () =>
    rules.restrictsWithin("read", canonicalOr(path))
      ? pageVisible(
          async (page) => inner.ls(path, page),
          options,
          (files) => shown(rules, files),
        )
      : inner.ls(path, options),
  );
}

/** The matching files that the rules show. */
export function globPermitted(
  inner: Filesystem,
  rules: PermissionRules,
  pattern: string,
  path: string | undefined,
  options: PageOptions | undefined,
): Promise<GlobResult> {
  return search(rules, path, "either", async () =>
    rules.restrictsWithin("read", canonicalOr(path))
      ? pageVisible(
          async (page) => inner.glob(pattern, path, page),
          options,
          (files) => shown(rules, files),
        )
      : inner.glob(pattern, path, options),
  );
}

/** The matches in files that may be read. A file that needs a human's consent yields nothing. */
export function grepPermitted(
  inner: Filesystem,
  rules: PermissionRules,
  args: Parameters<Filesystem["grep"]>,
): Promise<GrepResult> {
  const [, path, , maxCount] = args;
  return search(rules, path, "either", () =>
    rules.restrictsWithin("read", canonicalOr(path)) && isCapOrNone(maxCount)
      ? grepVisible(
          (...asked) => inner.grep(...asked),
          args,
          async (matches) => permittedMatches(rules, matches),
        )
      : inner.grep(...args),
  );
}

/**
 * A search from a path that the rules may hide. Where the path itself is denied and only something below it is allowed, it
 * answers with what may be seen, and as a denied path when that is nothing: whether the path exists does not show.
 */
async function search<R extends LsResult | GlobResult | GrepResult>(
  rules: PermissionRules,
  path: string | null | undefined,
  kind: "directory" | "either",
  task: () => Promise<R>,
): Promise<R | Failure> {
  if (path === undefined || path === null || path === "") return task();
  const canonical = canonicalPath(path);
  if (canonical.failure !== undefined) return canonical.failure;
  if (!rules.shows(canonical.path, kind)) return failure("permission_denied", path);
  const result = await task();
  if (canonical.path === "/" || rules.decide("read", canonical.path) !== "deny") return result;
  const seen = "matches" in result ? result.matches : "files" in result ? result.files : undefined;
  return seen === undefined || seen.length === 0 ? failure("permission_denied", path) : result;
}

/** Anything else is refused by the backend below. */
function isCapOrNone(maxCount: unknown): boolean {
  return (
    maxCount === undefined ||
    maxCount === null ||
    (typeof maxCount === "number" && Number.isSafeInteger(maxCount) && maxCount >= 0)
  );
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

function canonicalOr(path: string | null | undefined): string {
  const canonical = canonicalPath(path ?? "/");
  return canonical.failure === undefined ? canonical.path : "/";
}
