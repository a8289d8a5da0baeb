import { encodeText } from "../text/classify.js";
import { joinedBytes } from "../text/line-pager.js";
import { base64Of } from "./base64.js";
import { builtinModule } from "./builtin-modules.js";
import { type HashName, shaOf } from "./sha.js";

/**
 * The digest of bytes, or of texts in UTF-8 one after the other. The same in every runtime: Node's own code where there is
 * one, ours elsewhere.
 *
 * @returns `hex` in lower case, or `base64url` without padding.
 */
export function digestOf(
  name: HashName,
  form: "base64url" | "hex",
  ...parts: ReadonlyArray<string | Uint8Array>
): string {
  const crypto = builtinModule("node:crypto");
  if (crypto === undefined) return written(shaOf(name, joinedBytes(parts.map(bytesOf))), form);
  const texts = parts.filter((part) => typeof part === "string");
  // At once, which is twice as quick for a small file; not every runtime has it.
  if (texts.length === parts.length && typeof crypto.hash === "function")
    return crypto.hash(name, texts.join(""), form);
  const hash = crypto.createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest(form);
}

function bytesOf(part: string | Uint8Array): Uint8Array {
  return typeof part === "string" ? encodeText(part) : part;
}

function written(digest: Uint8Array, form: "base64url" | "hex"): string {
  if (form === "hex")
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return base64Of(digest).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
