import { isTextBytes } from "@fs/protocol/hooks";
import { decodeText } from "@fs/protocol/author";
import { lineChanges, type LineChange } from "./line-changes.js";
import { linesOf } from "./lines.js";

/** Lines around a change that a patch repeats. */
const CONTEXT = 3;

/** A file before and after, for {@link patchOf}. */
export interface FileChange {
  readonly path: string;
  /** `null`: there was no file. */
  readonly before: Uint8Array | null;
  /** `null`: the file is removed. */
  readonly after: Uint8Array | null;
}

/**
 * The unified patch of a file, in the form of git, so that `git apply` and `patch -p1` take it. `""` when nothing changes.
 * Of a binary file it says only that it differs.
 */
export function patchOf({ path, before, after }: FileChange): string {
  if (before === null && after === null) return "";
  if (before !== null && after !== null && Buffer.compare(before, after) === 0) return "";
  const [a, b] = [quotedName(`a${path}`), quotedName(`b${path}`)];
  const header = [`diff --git ${a} ${b}\n`];
  if (before === null) header.push("new file mode 100644\n");
  if (after === null) header.push("deleted file mode 100644\n");
  const [from, to] = [before ?? EMPTY, after ?? EMPTY];
  const names: [string, string] = [before === null ? NONE : a, after === null ? NONE : b];
  if (!isTextBytes(from) || !isTextBytes(to))
    return [...header, `Binary files ${names[0]} and ${names[1]} differ\n`].join("");
  const hunks = hunksOf(linesOf(decodeText(from)), linesOf(decodeText(to)));
  if (hunks === "") return header.join("");
  return [...header, `--- ${ended(names[0])}\n+++ ${ended(names[1])}\n`, hunks].join("");
}

/** The unified patch between two texts under the given names. `""` when they are equal. */
export function textPatch(
  before: { readonly name: string; readonly text: string },
  after: { readonly name: string; readonly text: string },
): string {
  const hunks = hunksOf(linesOf(before.text), linesOf(after.text));
  if (hunks === "") return "";
  return `--- ${ended(quotedName(before.name))}\n+++ ${ended(quotedName(after.name))}\n${hunks}`;
}

const EMPTY = new Uint8Array();
const NONE = "/dev/null";

/** A name in which tools would see the end is quoted as git does it: in C's way. */
function quotedName(name: string): string {
  return /["\\]/.test(name) ? `"${name.replace(/["\\]/g, "\\$&")}"` : name;
}

/** A name with a space ends in a tab, as git writes it, so that `patch` does not take the rest for a time. */
function ended(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name;
}

function hunksOf(from: readonly string[], to: readonly string[]): string {
  const whole: LineChange = { at: 0, removed: from.length, lines: to };
  const changes = lineChanges(from, to) ?? [whole];
  const hunks: string[] = [];
  let group: LineChange[] = [];
  let shift = 0;
  for (const [index, change] of changes.entries()) {
    group.push(change);
    const next = changes[index + 1];
    if (next !== undefined && next.at - (change.at + change.removed) <= 2 * CONTEXT) continue;
    hunks.push(hunkOf(from, group, shift));
    for (const { lines, removed } of group) shift += lines.length - removed;
    group = [];
  }
  return hunks.join("");
}

function hunkOf(from: readonly string[], changes: readonly LineChange[], shift: number): string {
  const first = changes[0]?.at ?? 0;
  const last = changes.at(-1) ?? { at: first, removed: 0 };
  const start = Math.max(0, first - CONTEXT);
  const end = Math.min(from.length, last.at + last.removed + CONTEXT);
  const body: string[] = [];
  const add = (mark: string, lines: readonly string[]): void => {
    for (const line of lines)
      body.push(
        line.endsWith("\n") ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`,
      );
  };
  let at = start;
  let grown = 0;
  for (const { at: changed, removed, lines } of changes) {
    add(" ", from.slice(at, changed));
    add("-", from.slice(changed, changed + removed));
    add("+", lines);
    at = changed + removed;
    grown += lines.length - removed;
  }
  add(" ", from.slice(at, end));
  const length = end - start;
  return `@@ -${range(start, length)} +${range(start + shift, length + grown)} @@\n${body.join("")}`;
}

/** Where a hunk begins, 1-based, and how many lines it has; an empty one is placed after the line before. */
function range(start: number, length: number): string {
  return length === 1 ? String(start + 1) : `${length === 0 ? start : start + 1},${length}`;
}
