import type { JsonValue } from "./json-case.js";

/** The value that a case file means. */
export function decodeValue(value: JsonValue, captured: Captured = NOTHING): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map((item) => decodeValue(item, captured));
  const [key, argument] = taggedValue(value) ?? [];
  if (key === "$ref") return capturedValue(captured, argument);
  if (key !== undefined && argument !== undefined) return decodeTagged(key, argument);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, decodeValue(field, captured)]),
  );
}

/** What earlier steps of a case captured, by name. */
export type Captured = ReadonlyMap<string, unknown>;

const NOTHING: Captured = new Map();

function capturedValue(captured: Captured, name: unknown): unknown {
  if (typeof name === "string" && captured.has(name)) return captured.get(name);
  throw new Error(`A case file refers to '${String(name)}', which no step before it captured.`);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The only key of an object when it starts with `$`, and its value. */
export function taggedValue(value: unknown): [key: string, argument: JsonValue] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value as Record<string, JsonValue>);
  const [first] = entries;
  return entries.length === 1 && first?.[0].startsWith("$") === true ? first : undefined;
}

function decodeTagged(key: string, argument: JsonValue): unknown {
  switch (key) {
    case "$bytes":
      return Uint8Array.from(argument as number[]);
    case "$base64":
      return new Uint8Array(Buffer.from(argument as string, "base64"));
    case "$repeat": {
      const [unit, times] = argument as [string, number];
      return unit.repeat(times);
    }
    case "$lines": {
      const [from, to] = argument as [number, number];
      let text = "";
      for (let line = from; line <= to; line++) text += `line ${line}\n`;
      return text;
    }
    case "$concat":
      return (argument as JsonValue[]).map((part) => String(decodeValue(part))).join("");
    case "$utf16":
      return String.fromCharCode(...(argument as number[]));
    case "$nan":
      return Number.NaN;
    case "$undefined":
      return undefined;
    default:
      throw new Error(`A case file uses '${key}', which is not known here.`);
  }
}
