import { z } from "zod";
import { isRecord } from "./schema.js";
import type { Tool } from "./tool.js";

/** A JSON Schema of an object, as short as it can be said. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** The JSON Schema of a tool's arguments: those with a default are not required. */
export function inputSchemaOf({ schema }: Pick<Tool, "schema">): ObjectSchema {
  return compact(z.toJSONSchema(schema, { io: "input" }));
}

/** The JSON Schema of a tool's structured answer. */
export function outputSchemaOf({ outputSchema }: Pick<Tool, "outputSchema">): ObjectSchema {
  return compact(z.toJSONSchema(outputSchema, { io: "input" }));
}

/** `anyOf` of plain types, said as a list of their names. */
function withPlainTypes({ anyOf, ...rest }: Readonly<Record<string, unknown>>): object {
  if (!Array.isArray(anyOf)) return anyOf === undefined ? rest : { anyOf, ...rest };
  const types = anyOf.map((choice: unknown) =>
    isRecord(choice) && Object.keys(choice).length === 1 ? choice["type"] : undefined,
  );
  return types.includes(undefined) ? { anyOf, ...rest } : { type: types, ...rest };
}

/** Leaves out what says nothing: the dialect, which is the protocols' own, a default that is empty, and items of any kind. */
function compact(schema: Readonly<Record<string, unknown>>): ObjectSchema {
  const { $schema: _dialect, ...rest } = schema;
  const text = JSON.stringify(rest, (key, value: unknown) => {
    if (key === "default" && (value === "" || value === 0 || value === false || value === null))
      return undefined;
    if (key === "items" && isRecord(value) && Object.keys(value).length === 0) return undefined;
    return isRecord(value) ? withPlainTypes(value) : value;
  });
  const short: unknown = JSON.parse(text);
  return { ...(isRecord(short) ? short : {}), type: "object" };
}
