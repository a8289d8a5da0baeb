import { ConfigurationError } from "@fs/protocol";
import { isRecord } from "./check.js";

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value with its variables filled in, and what they held. */
export interface Resolved {
  readonly value: unknown;
  /** What must never be shown. */
  readonly secrets: readonly string[];
}

/**
 * Replaces `${NAME}` in every string value by the environment variable; `$${` stands for `${`. Names of properties stay as
 * they are. Throws a ConfigurationError that names a variable that is missing or empty, and the place.
 */
export function resolveVariables(value: unknown, environment: Environment, place = ""): Resolved {
  const secrets: string[] = [];
  const resolve = (item: unknown, where: string): unknown => {
    if (typeof item === "string") return replaced(item, where, environment, secrets);
    if (Array.isArray(item))
      return item.map((inner: unknown, index) => resolve(inner, `${where}[${index}]`));
    if (!isRecord(item) || !isPlain(item)) return item;
    return Object.fromEntries(
      Object.entries(item).map(([key, inner]) => [
        key,
        resolve(inner, where === "" ? key : `${where}.${key}`),
      ]),
    );
  };
  return { value: resolve(value, place), secrets };
}

/** A client or a store of a module configuration is no data, and stays the object that it is. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function replaced(
  text: string,
  place: string,
  environment: Environment,
  secrets: string[],
): string {
  return text.replace(/\$\$\{|\$\{([^}]*)\}?/gu, (match, name: string | undefined) => {
    if (match === "$${") return "${";
    if (name === undefined || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || !match.endsWith("}"))
      throw new ConfigurationError(
        `'${place}': '\${' must be followed by the name of a variable and '}'.`,
      );
    const value = environment[name];
    if (value === undefined || value === "")
      throw new ConfigurationError(
        `'${place}' needs the environment variable ${name}, which is not set.`,
      );
    secrets.push(value);
    return value;
  });
}
