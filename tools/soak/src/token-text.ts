import { createHash } from "node:crypto";

/** The text that stands for a token: short ones, and now and then one that needs many packets. */
export function textOf(token: string): string {
  const digest = createHash("sha256").update(token).digest();
  const length = (digest[0] ?? 0) % 40 === 0 ? 30_000 : (digest[1] ?? 0) * 3;
  return `${token} ${"x".repeat(length)}`;
}

/** The token whose text this is, or what begins a text that is none. */
export function tokenOf(text: string): string {
  const token = text.slice(0, text.indexOf(" "));
  return text === textOf(token) ? token : `no text of a token: ${text.slice(0, 60)}`;
}
