import { encodeText } from "@fs/protocol/author";
import type { Replacement } from "@fs/protocol/hooks";

/** A file after its replacements: the parts to be written one after the other. */
export interface EditedBytes {
  readonly parts: readonly Uint8Array[];
  readonly occurrences: number;
  /** True when every replacement was by the same text. */
  readonly unchanged: boolean;
}

/**
 * Applies literal replacements to the bytes of a text without decoding it. `undefined` where one does not plainly apply:
 * absent, ambiguous or empty.
 */
export function editBytes(bytes: Buffer, edits: readonly Replacement[]): EditedBytes | undefined {
  let parts: readonly Uint8Array[] = [bytes];
  let occurrences = 0;
  for (const edit of edits) {
    if (edit.old === "") return undefined;
    const whole = parts.length === 1 && parts[0] === bytes ? bytes : Buffer.concat(parts);
    const found = findAll(whole, encodeText(edit.old), edit.replaceAll);
    if (found === undefined) return undefined;
    parts = replaceAt(whole, found, encodeText(edit.old).length, encodeText(edit.new));
    occurrences += found.length;
  }
  return { parts, occurrences, unchanged: edits.every((edit) => edit.old === edit.new) };
}

/** Where the text occurs, without overlap; `undefined` if nowhere, or more than once where once is allowed. */
function findAll(bytes: Buffer, old: Uint8Array, many: boolean): number[] | undefined {
  const found: number[] = [];
  for (let at = bytes.indexOf(old); at !== -1; at = bytes.indexOf(old, at + old.length)) {
    if (found.length === 1 && !many) return undefined;
    found.push(at);
  }
  return found.length === 0 ? undefined : found;
}

function replaceAt(
  bytes: Buffer,
  found: readonly number[],
  length: number,
  replacement: Uint8Array,
): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const at of found) {
    parts.push(bytes.subarray(from, at), replacement);
    from = at + length;
  }
  parts.push(bytes.subarray(from));
  // Many small writes cost more than one copy.
  return parts.length > 16 ? [Buffer.concat(parts)] : parts;
}
