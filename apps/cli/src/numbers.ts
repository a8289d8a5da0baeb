import { UsageError } from "./usage-error.js";
import type { Options } from "./context.js";

/** The number of an option, or the default where it is not given. Throws a UsageError for what is no whole number from 0. */
export function wholeNumber(options: Options, name: string, byDefault: number): number {
  const value = options[name];
  if (value === undefined) return byDefault;
  if (typeof value !== "string" || !/^\d{1,15}$/.test(value))
    throw new UsageError(`--${name} must be a whole number.`);
  return Number(value);
}

/** The text of an option, or `undefined`. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}
