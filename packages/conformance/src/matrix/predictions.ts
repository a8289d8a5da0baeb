import type { FileModel } from "../model/file-model.js";
import type { Prediction } from "./row.js";

/** A refusal with one of these codes. */
export function refused(...codes: string[]): Prediction {
  return { codes };
}

/** R5: what a call that needs a file answers where none is; `undefined` where one is. */
export function noFile(model: FileModel, path: string): Prediction | undefined {
  if (model.isFile(path)) return undefined;
  // The root is a directory, and ends in a slash.
  if (path === "/") return refused("is_directory", "invalid_path");
  return refused(model.isDirectory(path) ? "is_directory" : "not_found");
}

/** W2: what storing a new file at a path answers; `undefined` where nothing is in the way. */
export function blocked(model: FileModel, path: string): Prediction | undefined {
  if (path === "/") return refused("is_directory", "permission_denied", "invalid_path");
  const codes = model.collision(path);
  return codes === undefined ? undefined : refused(...codes);
}

/** What a file of the model holds. */
export function bytesOf(model: FileModel, path: string): Uint8Array {
  return model.files.get(path) ?? new Uint8Array();
}

/** What most rows have in common. */
export const plain = { batch: false, versioned: false, beside: {} } as const;

/** Arguments with options behind them, where there are any. */
export function withOptions(args: unknown[], options: unknown): unknown[] {
  return options === undefined ? args : [...args, options];
}
