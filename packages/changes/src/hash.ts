import { createHash } from "node:crypto";
import type { Side } from "./change.js";

const HASH = /^sha256:[0-9a-f]{64}$/;

/** The hash of a content: `sha256:` and 64 hexadecimal digits. */
export function hashOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Returns whether a value is a hash as {@link hashOf} makes it. */
export function isHash(value: unknown): value is string {
  return typeof value === "string" && HASH.test(value);
}

/** The state of a file that holds these bytes. */
export function sideOf(bytes: Uint8Array, version?: string): Side & { readonly hash: string } {
  const side = { hash: hashOf(bytes), size: bytes.length };
  return version === undefined ? side : { ...side, version };
}
