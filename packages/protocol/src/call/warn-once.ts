import { emitWarning } from "../host/emit-warning.js";

const warned = new Set<string>();

/**
 * Warns of a deprecated use, once per process and code, as a Node `DeprecationWarning`.
 *
 * @param code A stable code such as `FS_DEP_FACTORY`, for `process.on("warning")`.
 */
export function warnOnce(code: string, message: string): void {
  if (warned.has(code)) return;
  warned.add(code);
  emitWarning(message, "DeprecationWarning", code);
}
