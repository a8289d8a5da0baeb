/** A path as the index keeps it: each UTF-16 code unit in UTF-8's scheme on its own, so that bytes sort as UTF-16 does. */
export function pathMember(path: string): Buffer {
  const bytes: number[] = [];
  for (let i = 0; i < path.length; i++) {
    const unit = path.charCodeAt(i);
    if (unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 63));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63));
  }
  return Buffer.from(bytes);
}
