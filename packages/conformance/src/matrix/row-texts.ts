import { linesOf } from "../model/text-rules.js";

/** What uploads of the matrix store: no text, for its NUL, and yet UTF-8, so that a storage of texts alone takes it. */
export const UPLOADED = new TextEncoder().encode("\u0000ÿ\r\n€");
/** What writes of the matrix store. */
export const WRITTEN = "written\r\n\ufeff$& é😀";
export const SOURCE = "/source/from.txt";
export const SOURCE_TEXT = "source\n";

/** The text that searches and edits of the matrix look for: the first line of the file, without its end. */
export function needleOf(text: string | undefined): string {
  const line = linesOf(text ?? "").find((candidate) => candidate.trim() !== "") ?? "";
  return Array.from(line.replace(/\r?\n$/, ""))
    .slice(0, 24)
    .join("");
}

/** Where `move-from` and `copy-from` put their subject: the same name, so that text stays text. */
export function targetOf(path: string): string {
  const name = path.split("/").findLast((segment) => segment !== "") ?? "";
  return `/target/${name === "" ? "root" : name}`;
}

export function nameOf(path: unknown): string {
  return typeof path === "string" && path.startsWith("/") ? path : "/name";
}
