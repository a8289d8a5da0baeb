import { ConfigurationError } from "@fs/protocol";
import { isRecord } from "../messages/record.js";

/** The names of options, which a type makes complete. */
export type OptionNames<T> = Readonly<Record<keyof T, true>>;

/** Throws a ConfigurationError for an option that does not exist: ignored, a misspelt rule would protect nothing. */
export function checkOptionNames(
  whose: string,
  options: unknown,
  known: Readonly<Record<string, true>>,
): void {
  if (!isRecord(options)) throw new ConfigurationError(`${whose} takes an object of options.`);
  for (const [option, value] of Object.entries(options))
    if (!Object.hasOwn(known, option) && value !== undefined)
      throw new ConfigurationError(
        `${whose} has no option '${option}'. It takes ${Object.keys(known).join(", ")}.`,
      );
}
