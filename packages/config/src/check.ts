import type { ConfigSchema } from "./schema.js";

/** Whether a value is an object with named properties. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What is wrong with a value, as sentences that name the place and never the value; none when it fits the schema. Only the
 * keywords of {@link ConfigSchema} are known.
 */
export function problemsOf(value: unknown, schema: ConfigSchema, place = ""): readonly string[] {
  const name = place === "" ? "The configuration" : `'${place}'`;
  if (schema.type !== undefined && !isOfType(value, schema.type))
    return [`${name} must be ${ARTICLE[schema.type]}.`];
  if (schema.enum !== undefined && !schema.enum.some((choice) => choice === value))
    return [`${name} must be one of ${schema.enum.join(", ")}.`];
  if (typeof value === "string" && value.length < (schema.minLength ?? 0))
    return [`${name} must not be empty.`];
  if (typeof value === "number" && value < (schema.minimum ?? -Infinity))
    return [`${name} must be at least ${schema.minimum}.`];
  if (Array.isArray(value)) return problemsOfList(value, schema, place, name);
  return isRecord(value) ? problemsOfObject(value, schema, place, name) : [];
}

const ARTICLE = {
  object: "an object",
  array: "a list",
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
} as const;

function isOfType(value: unknown, type: NonNullable<ConfigSchema["type"]>): boolean {
  switch (type) {
    case "object":
      return isRecord(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}

function problemsOfList(
  value: readonly unknown[],
  { items, minItems = 0 }: ConfigSchema,
  place: string,
  name: string,
): readonly string[] {
  if (value.length < minItems) return [`${name} must not be empty.`];
  return items === undefined
    ? []
    : value.flatMap((item, index) => problemsOf(item, items, `${place}[${index}]`));
}

function problemsOfObject(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties = true }: ConfigSchema,
  place: string,
  name: string,
): readonly string[] {
  const missing = required
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => `${name} lacks '${key}'.`);
  const others = Object.entries(value).flatMap(([key, item]) => {
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const where = place === "" ? key : `${place}.${key}`;
    if (inner !== undefined) return problemsOf(item, inner, where);
    if (additionalProperties === false)
      return [`${name} has no '${key}'; there is ${Object.keys(properties).join(", ")}.`];
    return additionalProperties === true ? [] : problemsOf(item, additionalProperties, where);
  });
  return [...missing, ...others];
}
