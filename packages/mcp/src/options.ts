import type { AnyBackendProtocol } from "@fs/protocol";
import { type GivenSettings, isToolName, type ToolName } from "@fs/tools";

/** Options of every server of this package. */
export interface McpOptions {
  /** Whether tools that change something are offered. Default `false`: they do not exist for a client. */
  readonly write?: boolean;
  /** The tools to offer. Default: all that the backend can and {@link write} allows. */
  readonly tools?: readonly ToolName[];
  /** How the tools answer, see `toolSettings` of `@fs/tools`. */
  readonly settings?: GivenSettings;
  /** The directory whose subdirectories are skills. Default: none. */
  readonly skills?: string;
  /** What the server says it is. Default `{ name: "fs", version: "0.0.0" }`. */
  readonly name?: string;
  readonly version?: string;
  /** How a model is to use the server. Default: a sentence on paths and versions. */
  readonly instructions?: string;
  /** Called with every unexpected error; use it for logging. Nothing of it reaches a client. */
  readonly onError?: (error: unknown) => void;
}

const TYPES: Readonly<Record<keyof McpOptions, string>> = {
  write: "boolean",
  tools: "object",
  settings: "object",
  skills: "string",
  name: "string",
  version: "string",
  instructions: "string",
  onError: "function",
};

/**
 * Throws a TypeError for an option that does not exist or is of the wrong type, and for what is no backend.
 *
 * @param more The types of further options that the caller knows.
 */
export function checkOptions(
  backend: AnyBackendProtocol,
  options: object,
  more: Readonly<Record<string, string>> = {},
): void {
  if (typeof backend !== "object" || backend === null)
    throw new TypeError("A server needs a backend.");
  const types: Readonly<Record<string, string>> = { ...TYPES, ...more };
  for (const [name, value] of Object.entries(options)) {
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (type === undefined) throw new TypeError(`There is no option '${name}'.`);
    if (value !== undefined && (typeof value !== type || value === null))
      throw new TypeError(`'${name}' must be a ${type}.`);
  }
  const tools: unknown = Reflect.get(options, "tools");
  if (tools !== undefined && !(Array.isArray(tools) && tools.every(isToolName)))
    throw new TypeError("'tools' must be a list of names of tools.");
}
