/** The bytes that a text has in UTF-8. Half of a surrogate pair counts as the replacement character that it would become. */
export function utf8Length(text: string): number {
  if (typeof Buffer !== "undefined") return Buffer.byteLength(text);
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
    // A pair is two units of four bytes together: one more for each of them.
    if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      at += 1;
    }
  }
  return bytes;
}
