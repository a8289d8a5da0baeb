import { isUtf8 } from "node:buffer";

/** Characters of one value that a transcript shows. */
const MAX_SHOWN = 240;

// Anything that a terminal would not show as itself: controls, separators, bidirectional marks, a BOM.
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text as a JavaScript literal in which every invisible character is escaped. */
export function quoteText(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replace(INVISIBLE, (c) => NAMED[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `"${escaped}"`;
}

/** A value for people: as JavaScript, clipped to about 240 characters, bytes as `bytes(…)`. */
export function show(value: unknown, limit = MAX_SHOWN): string {
  const text = literal(value, limit);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

/** A value as JavaScript that a reader can run, as far as it is not too long. */
export function literal(value: unknown, limit = MAX_SHOWN): string {
  if (typeof value === "string") return textLiteral(value, limit);
  if (value instanceof Uint8Array) return bytesLiteral(value);
  if (Array.isArray(value)) return listLiteral(value, limit);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof AbortSignal) return value.aborted ? "AbortSignal.abort()" : "signal";
  if (typeof value === "object" && value !== null) {
    const fields = fieldsOf(value).filter(([, field]) => field !== undefined);
    if (fields.length === 0) return "{}";
    return `{ ${fields.map(([key, field]) => `${keyLiteral(key)}: ${literal(field, limit)}`).join(", ")} }`;
  }
  if (typeof value === "function") return "() => …";
  return String(value);
}

/** Items of a list that a reader sees, unless all are asked for. */
const MAX_ITEMS = 12;

function listLiteral(items: readonly unknown[], limit: number): string {
  const shown = limit === Infinity ? items : items.slice(0, MAX_ITEMS);
  const more = items.length - shown.length;
  const texts = shown.map((item) => literal(item, limit));
  return `[${texts.join(", ")}${more === 0 ? "" : ` /* and ${more} more */`}]`;
}

/** The fields of an object; one whose getter throws is shown as that. */
function fieldsOf(value: object): Array<[key: string, field: unknown]> {
  return Object.keys(value).map((key) => {
    const getter = Object.getOwnPropertyDescriptor(value, key)?.get;
    return [key, getter === undefined ? Reflect.get(value, key) : getter];
  });
}

function keyLiteral(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteText(key);
}

function textLiteral(text: string, limit: number): string {
  if (text.length <= limit) return quoteText(text);
  const unit = repeatedUnit(text);
  if (unit !== undefined) return `${quoteText(unit)}.repeat(${text.length / unit.length})`;
  return `${quoteText(text.slice(0, limit))} /* … ${text.length} characters */`;
}

function repeatedUnit(text: string): string | undefined {
  for (let size = 1; size <= 64; size++) {
    const unit = text.slice(0, size);
    if (text.length % size === 0 && unit.repeat(text.length / size) === text) return unit;
  }
  return undefined;
}

function bytesLiteral(bytes: Uint8Array): string {
  if (bytes.length > 0 && !bytes.includes(0) && isUtf8(bytes))
    return `Buffer.from(${textLiteral(Buffer.from(bytes).toString("utf8"), 80)})`;
  if (bytes.length > 24) {
    const head = Array.from(bytes.subarray(0, 16)).join(", ");
    return `Uint8Array.of(${head} /* … ${bytes.length} bytes */)`;
  }
  return `Uint8Array.of(${Array.from(bytes).join(", ")})`;
}
