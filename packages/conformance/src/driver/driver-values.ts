/**
 * A value as a driver receives it: JSON, with `{"$base64"}` for bytes, `{"$undefined": true}`, `{"$number": "NaN"}` and
 * `{"$utf16"}` for what JSON cannot say. A signal or a function has no form, and is left out.
 */
export function encoded(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $base64: Buffer.from(value).toString("base64") };
  if (typeof value === "string" && !value.isWellFormed())
    return { $utf16: Array.from({ length: value.length }, (_, at) => value.charCodeAt(at)) };
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (value === undefined || typeof value === "function" || typeof value === "bigint")
    return { $undefined: true };
  if (Array.isArray(value)) return value.map(encoded);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => !isUntold(field));
  return Object.fromEntries(fields.map(([name, field]) => [name, encoded(field)]));
}

function isUntold(value: unknown): boolean {
  return value instanceof AbortSignal || value === undefined || typeof value === "function";
}

/** What a driver answered, with its bytes. */
export function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === "$base64" && typeof first[1] === "string")
    return new Uint8Array(Buffer.from(first[1], "base64"));
  return Object.fromEntries(entries.map(([name, field]) => [name, decoded(field)]));
}
