import type { FilesystemOperation, MethodName } from "../call/methods.js";
import { isPromise } from "../concurrency/maybe-promise.js";
import { failure } from "../errors/messages.js";
import { canonicalPath } from "../paths/path.js";
import type { MutationOptions, TransferOptions } from "../types/options.js";
import type { Failure } from "../types/outcome.js";
import type { Filesystem } from "../types/protocol.js";
import type { DeleteResult, TransferResult } from "../types/results.js";
import { deleteChecked, relocateChecked } from "./checked-tree.js";
import type { PermissionGuard } from "./permission-guard.js";
import type { PermissionMode } from "./permission-rules.js";

/** Removes a path under the rules, a directory file by file where a rule may be about something in it. */
export async function deletePermitted(
  inner: Filesystem,
  guard: PermissionGuard,
  path: string,
  options: MutationOptions,
): Promise<DeleteResult | undefined> {
  const asked = guard.check("delete", path, "delete");
  const refused = isPromise(asked) ? await asked : asked;
  if (refused !== undefined) return refused;
  const { rules } = guard;
  const root = canonical(path);
  if (!rules.restrictsBelow("delete", root)) return inner.delete?.(path, options);
  return deleteChecked(inner, path, options, (files) =>
    judge(guard, "delete", path, files, "delete", (file) =>
      file === root ? [] : [rules.decide("delete", file)],
    ),
  );
}

/** Moves or copies under the rules, a directory file by file where a rule may be about something in it or where it goes. */
export async function relocatePermitted(
  inner: Filesystem,
  guard: PermissionGuard,
  kind: "move" | "copy",
  [from, to]: readonly [from: string, to: string],
  options: TransferOptions,
): Promise<TransferResult | undefined> {
  const taken: readonly FilesystemOperation[] = kind === "move" ? ["read", "delete"] : ["read"];
  for (const check of [
    () => guard.check(kind, from, ...taken),
    () => guard.check(kind, to, "write"),
  ]) {
    const asked = check();
    const refused = isPromise(asked) ? await asked : asked;
    if (refused !== undefined) return refused;
  }
  const { rules } = guard;
  const [source, target] = [canonical(from), canonical(to)];
  const restricted =
    taken.some((operation) => rules.restrictsBelow(operation, source)) ||
    rules.restrictsBelow("write", target);
  if (!restricted) return inner[kind]?.(from, to, options);
  return relocateChecked(inner, kind, [from, to], options, (legs) =>
    judge(guard, kind, from, legs, taken.at(-1) ?? "read", (leg) =>
      leg.from === source
        ? []
        : [
            ...taken.map((operation) => rules.decide(operation, leg.from)),
            rules.decide("write", leg.to),
          ],
    ),
  );
}

/** The failure of a call when a rule denies any of its files, never saying which; asks a human once for all that need it. */
async function judge<T extends string | { readonly from: string }>(
  guard: PermissionGuard,
  method: MethodName,
  path: string,
  files: readonly T[],
  operation: FilesystemOperation,
  modesOf: (file: T) => readonly PermissionMode[],
): Promise<Failure | undefined> {
  const below: string[] = [];
  for (const file of files) {
    const modes = modesOf(file);
    if (modes.includes("deny")) return failure("permission_denied", path);
    if (modes.includes("interrupt")) below.push(typeof file === "string" ? file : file.from);
  }
  if (below.length === 0) return undefined;
  const allowed = await guard.ask({ method, operation, path: canonical(path), below });
  return allowed ? undefined : failure("permission_denied", path);
}

/** Of a path that the guard has let pass, and which therefore has a canonical form. */
function canonical(path: string): string {
  const result = canonicalPath(path);
  return result.failure === undefined ? result.path : path;
}
