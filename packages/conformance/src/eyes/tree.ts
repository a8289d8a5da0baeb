import { isMediaName } from "../model/media-names.js";
import { linesOf, sortedPaths, textOfBytes } from "../model/text-rules.js";

/** What files hold: canonical path to bytes. */
export type Tree = ReadonlyMap<string, Uint8Array>;

const encoder = new TextEncoder();

/** A tree from texts and bytes. */
export function treeOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Map<string, Uint8Array> {
  return new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "string" ? encoder.encode(content) : content,
    ]),
  );
}

/** The text of a file that is text (R7), else `undefined`. */
export function textOf(path: string, bytes: Uint8Array): string | undefined {
  return isMediaName(path) ? undefined : textOfBytes(bytes);
}

/** What a search that takes any bytes for text would find in a file: text up to the first byte that is none. */
export function lookOf(bytes: Uint8Array): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const [look = ""] = text.replaceAll("\0", "\ufffd").split("\ufffd", 1);
  return look;
}

/** What `read` of the first page and `readRaw` give of a file, where the page is long enough. */
export function contentOf(path: string, bytes: Uint8Array): string | Uint8Array {
  return textOf(path, bytes) ?? bytes;
}

/** A page of a file as `read` gives it (R1, R6). */
export function pageOf(
  path: string,
  bytes: Uint8Array,
  offset = 0,
  limit = 500,
): string | Uint8Array {
  const text = textOf(path, bytes);
  return text === undefined
    ? bytes
    : linesOf(text)
        .slice(offset, offset + limit)
        .join("");
}

/** Every directory of a tree, the root included, sorted. */
export function directoriesOf(paths: Iterable<string>): string[] {
  const found = new Set<string>(["/"]);
  for (const path of paths) {
    for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1))
      found.add(path.slice(0, cut));
  }
  return sortedPaths(found);
}

/** The immediate children of a directory as `ls` lists them (L1, L3). */
export function childrenOf(tree: Tree, directory: string): string[] {
  const prefix = directory === "/" ? "/" : `${directory}/`;
  const names = new Set<string>();
  for (const path of tree.keys()) {
    if (!path.startsWith(prefix)) continue;
    const slash = path.indexOf("/", prefix.length);
    names.add(slash === -1 ? path : path.slice(0, slash + 1));
  }
  return sortedPaths(names);
}
