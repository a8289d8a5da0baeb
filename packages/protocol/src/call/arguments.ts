import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { canonicalFilePath, canonicalPath } from "../paths/path.js";
import { replacementOf, type Replacement } from "../text/edit.js";
import { encodeText } from "../text/classify.js";

/** The canonical form of a path that must name a file. Throws `invalid_path` or `is_directory`. */
export function filePathArgument(input: unknown): string {
  const canonical = canonicalFilePath(input);
  if (canonical.failure !== undefined)
    throw new VolumeError(canonical.failure.code, canonical.failure.error);
  return canonical.path;
}

/** The canonical form of a path. `undefined`, `null` and `""` mean `/` where the path is optional. Throws `invalid_path`. */
export function pathArgument(input: unknown, optional = false): string {
  if (optional && (input === undefined || input === null || input === "")) return "/";
  const canonical = canonicalPath(input);
  if (canonical.failure !== undefined)
    throw new VolumeError(canonical.failure.code, canonical.failure.error);
  return canonical.path;
}

/** A whole number that is not negative. Throws `invalid_argument`. */
export function countArgument(name: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new VolumeError("invalid_argument", `'${name}' must be a whole number, 0 or more.`);
}

/** A well-formed string. Throws `invalid_argument`. */
export function textArgument(name: string, value: unknown): string {
  if (typeof value !== "string")
    throw new VolumeError("invalid_argument", `'${name}' must be a string.`);
  if (value.isWellFormed()) return value;
  throw new VolumeError(
    "invalid_argument",
    `'${name}' holds half of a surrogate pair, which no UTF-8 file can keep.`,
  );
}

/** True or false; `undefined` and `null` mean `false`. Throws `invalid_argument`. */
function flagArgument(name: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === "boolean") return value;
  throw new VolumeError("invalid_argument", `'${name}' must be true or false.`);
}

/** The replacements of an edit, each checked. Throws `invalid_argument`. */
export function editsArgument(edits: unknown): Replacement[] {
  if (!Array.isArray(edits) || edits.length === 0) {
    throw new VolumeError("invalid_argument", "'edits' must be a list of at least one edit.");
  }
  return edits.map((edit: unknown) => {
    if (typeof edit !== "object" || edit === null || !("old" in edit) || !("new" in edit)) {
      throw new VolumeError("invalid_argument", "Each edit needs 'old' and 'new'.");
    }
    return replacementOf({
      old: textArgument("old", edit.old),
      new: textArgument("new", edit.new),
      replaceAll: flagArgument("replaceAll", "replaceAll" in edit ? edit.replaceAll : undefined),
    });
  });
}

/** The bytes of a text that fits. Throws `too_large`. */
export function boundedBytes(path: string, text: string, maxBytes: number): Uint8Array {
  // A code unit takes one byte at least, so that a huge string is refused before it is copied.
  const bytes = text.length > maxBytes ? undefined : encodeText(text);
  if (bytes === undefined || bytes.length > maxBytes) throw tooLarge(path, maxBytes);
  return bytes;
}

/** The error for a file over the limit of its backend. */
export function tooLarge(path: string, maxBytes: number): VolumeError {
  return new VolumeError(
    "too_large",
    `${quote(path)} would be larger than the ${maxBytes} bytes a file may have here.`,
  );
}
