import { pageOfBytes } from "@fs/protocol/hooks";
import type { VolumePage } from "@fs/protocol/author";
import { parseRecord, plainBytes } from "./entries.js";
import { unexpected } from "./replies.js";

/** Bytes up to which a file comes whole: that is no dearer than a page, and tells how many lines there are. */
export const WHOLE_BELOW = 64 * 1024;
/** Lines a script may count. A page further down comes with the whole file, so that the server is never held up. */
export const COUNTABLE_LINES = 20_000;

/** The page in a reply of the `PAGE` script: cut on the server, or here from the whole file. */
export function pageOf(reply: readonly Buffer[], offset: number, limit: number): VolumePage {
  const [status, line, bytes, lines, atEnd] = reply;
  if (line === undefined || bytes === undefined) throw unexpected();
  const { version } = parseRecord(line);
  if (status?.toString() === "whole") return { ...pageOfBytes(bytes, offset, limit), version };
  const counted = Number(lines?.toString());
  const ended = atEnd?.toString() === "1";
  return {
    bytes: plainBytes(bytes),
    lines: counted,
    atEnd: ended,
    version,
    ...(ended ? { totalLines: offset + counted } : {}),
  };
}
