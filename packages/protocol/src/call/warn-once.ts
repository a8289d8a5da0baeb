import { emitWarning } from "../host/emit-warning.js";

const warned = new Set<string>();

/**
 * Warns the operator, once per process and code.
 *
 * @param code A stable code such as `FS_DEP_FACTORY`, for `process.on("warning")`.
 * @param type The name of the warning. Default `"DeprecationWarning"`.
 */
export function warnOnce(code: string, message: string, type = "DeprecationWarning"): void {
  if (warned.has(code)) return;
  warned.add(code);
  emitWarning(message, type, code);
}
