import { failure, type Failure } from "../errors/messages.js";
import { canonicalPath } from "../paths/path.js";
import { joinPath, prefixOf } from "../paths/segments.js";
import type { CallOptions } from "../types/options.js";
import type { BackendProtocolV2 } from "../types/protocol.js";
import { filesBelow } from "./files-below.js";
import type { FilesystemOperation } from "./intercept.js";
import type { PermissionGuard } from "./permission-guard.js";
import type { MethodName } from "./wrap-backend.js";

/** What a call on a whole tree does to each file in it. */
export interface TreeAccess {
  readonly method: MethodName;
  /** As the caller wrote it. */
  readonly path: string;
  readonly operations: readonly FilesystemOperation[];
  /** Where each file goes; it must be writable there. As the caller wrote it. */
  readonly target?: string;
}

/**
 * The failure of a call on a file or a whole directory when any file it touches may not be touched so. Looks below only
 * if a rule might match there, and never says which file it was.
 */
export async function checkTree(
  inner: BackendProtocolV2,
  guard: PermissionGuard,
  access: TreeAccess,
  options: CallOptions,
): Promise<Failure | undefined> {
  const { method, path, operations, target } = access;
  const refused =
    (await guard.check(method, path, ...operations)) ??
    (target === undefined ? undefined : await guard.check(method, target, "write"));
  if (refused !== undefined) return refused;
  const root = canonical(path);
  const goal = target === undefined ? undefined : canonical(target);
  const { rules } = guard;
  const restricted =
    operations.some((operation) => rules.restrictsWithin(operation, root)) ||
    (goal !== undefined && rules.restrictsWithin("write", goal));
  if (!restricted) return undefined;
  const files = await filesBelow(inner, root, options);
  const denied = failure("permission_denied", path);
  if (files === undefined) {
    // What cannot be checked cannot be allowed.
    return failure(options.signal?.aborted === true ? "aborted" : "unavailable", path);
  }
  const asked: string[] = [];
  for (const file of files) {
    if (file === root) continue;
    const modes = operations.map((operation) => rules.decide(operation, file));
    if (goal !== undefined) {
      modes.push(rules.decide("write", joinPath(goal, file.slice(prefixOf(root).length))));
    }
    if (modes.includes("deny")) return denied;
    if (modes.includes("interrupt")) asked.push(file);
  }
  const operation = operations.at(-1);
  if (asked.length === 0 || operation === undefined) return undefined;
  const allowed = await guard.ask({ method, operation, path: root, below: asked });
  return allowed ? undefined : denied;
}

/** Of a path that the guard has let pass, and which therefore has a canonical form. */
function canonical(path: string): string {
  const result = canonicalPath(path);
  return result.failure === undefined ? result.path : path;
}
