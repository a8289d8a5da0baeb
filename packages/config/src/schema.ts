/** The part of JSON Schema that a configuration needs, see `check.ts`. */
export interface ConfigSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: "object" | "array" | "string" | "number" | "integer" | "boolean";
  readonly properties?: Readonly<Record<string, ConfigSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ConfigSchema;
  readonly items?: ConfigSchema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
}

/** What a route may `use`. */
export const USES = [
  "memory",
  "disk",
  "shell",
  "bubblewrap",
  "postgres",
  "redis",
  "s3",
  "hub",
  "store",
] as const;

const QUOTA: ConfigSchema = {
  type: "object",
  description: "Limits on what is stored through this filesystem.",
  properties: {
    bytes: { type: "integer", minimum: 0, description: "Bytes of all files together." },
    files: { type: "integer", minimum: 0, description: "Number of files." },
    operations: {
      type: "object",
      description: "Calls of any kind: at most `max` within any `per` milliseconds.",
      properties: {
        max: { type: "integer", minimum: 1 },
        per: { type: "integer", minimum: 1 },
      },
      required: ["max", "per"],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

const ROUTE: ConfigSchema = {
  type: "object",
  description:
    "What is at a route: 'use' names the backend, 'readOnly', 'quota' and 'setup' are about the route, and all else are options of the backend. '${NAME}' in a value is an environment variable.",
  properties: {
    use: { type: "string", enum: USES },
    readOnly: { type: "boolean", description: "Nothing at this route can change." },
    quota: QUOTA,
    setup: {
      type: "boolean",
      description: "Create what the storage needs, such as a table, when the route is opened.",
    },
    repository: { type: "string", minLength: 1, description: "For 'hub': owner/name." },
  },
  required: ["use"],
  additionalProperties: true,
};

/** The JSON Schema of a configuration; published as `@fs/config/schema.json`. */
export const CONFIG_SCHEMA: ConfigSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "fs.config",
  description: "A filesystem composed of routes.",
  type: "object",
  properties: {
    $schema: { type: "string" },
    routes: {
      type: "object",
      description:
        "Backends by the absolute directory they are at. '/' is in memory unless it is named.",
      additionalProperties: ROUTE,
    },
    readOnly: { type: "boolean", description: "Nothing can change." },
    permissions: {
      type: "array",
      description: "The first rule that matches decides; what no rule is about is allowed.",
      items: {
        type: "object",
        properties: {
          operations: {
            type: "array",
            minItems: 1,
            items: { type: "string", enum: ["read", "write", "delete", "execute"] },
          },
          paths: { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
          mode: { type: "string", enum: ["allow", "deny"] },
        },
        required: ["operations", "paths"],
        additionalProperties: false,
      },
    },
    quota: QUOTA,
    staging: {
      type: "object",
      description:
        "Changes wait in 'upper' until they are committed; the routes are untouched before.",
      properties: { upper: ROUTE },
      required: ["upper"],
      additionalProperties: false,
    },
    journal: {
      type: "object",
      description: "Every change of the routes is recorded in 'store', so that it can be undone.",
      properties: {
        store: ROUTE,
        content: {
          type: "string",
          enum: ["full", "hash"],
          description: "'hash' keeps no contents: then nothing can be undone. Default 'full'.",
        },
      },
      required: ["store"],
      additionalProperties: false,
    },
  },
  required: ["routes"],
  additionalProperties: false,
};
