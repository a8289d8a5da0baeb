import type { ErrorCode } from "@fs/protocol";
import { VolumeError } from "@fs/protocol/author";

/** An array reply of texts, `undefined` where the server answered nothing. Throws `unavailable` for any other shape. */
export function buffersOf(reply: unknown): Buffer[] {
  if (!Array.isArray(reply)) throw unexpected();
  return reply.map((item: unknown) => bufferOf(item) as Buffer);
}

/** A text, or `undefined` where the server answered nothing. */
export function bufferOf(item: unknown): Buffer | undefined {
  if (item === null || item === undefined) return undefined;
  if (Buffer.isBuffer(item)) return item;
  throw unexpected();
}

/** The error for a reply that no script of ours gives: the keys hold something else. */
export function unexpected(): VolumeError {
  return new VolumeError("unavailable", undefined, {
    cause: new Error("The server gave a reply of an unexpected shape."),
  });
}

/** The first word of a script's reply. */
export function statusOf(reply: ReadonlyArray<Buffer | undefined>): string {
  return reply[0]?.toString() ?? "";
}

const CODES: ReadonlySet<string> = new Set<ErrorCode>([
  "already_exists",
  "conflict",
  "is_directory",
  "not_directory",
]);

/** The error code that a status is, or `undefined` for an answer. */
export function codeOf(status: string): ErrorCode | undefined {
  if (CODES.has(status)) return status as ErrorCode;
  if (status === "ok") return undefined;
  throw unexpected();
}
