/** What the value of an option of a constructor must be: a kind, or one of the listed strings. */
export type ConfigurationKind =
  | "count"
  | "positive"
  | "milliseconds"
  | "text"
  | "flag"
  | "function"
  | "object"
  | readonly string[];

const KINDS: Readonly<
  Record<Extract<ConfigurationKind, string>, { accepts: (value: unknown) => boolean; is: string }>
> = {
  count: { accepts: (value) => isNumber(value) && value >= 0, is: "a number, 0 or more" },
  positive: {
    accepts: (value) => Number.isSafeInteger(value) && Number(value) > 0,
    is: "a whole number, 1 or more",
  },
  milliseconds: {
    accepts: (value) => isNumber(value) && value >= 0,
    is: "milliseconds, 0 or more",
  },
  text: {
    accepts: (value) => typeof value === "string" && value !== "",
    is: "a string that is not empty",
  },
  flag: { accepts: (value) => typeof value === "boolean", is: "true or false" },
  function: { accepts: (value) => typeof value === "function", is: "a function" },
  object: { accepts: (value) => typeof value === "object" && value !== null, is: "an object" },
};

/**
 * Checks the options of a constructor or of a wrapper: half-understood options must never open anything.
 *
 * An option that is `undefined` is absent. Throws a TypeError that names the option for a value of the wrong kind, and for
 * an unknown name unless `others` is `"open"`.
 *
 * @param subject Whose options they are, for the sentence: `"S3Backend"`.
 * @param others `"closed"` (default) refuses names that are not in `kinds`; `"open"` leaves them to a subclass.
 */
export function checkedConfiguration(
  subject: string,
  options: unknown,
  kinds: Readonly<Record<string, ConfigurationKind | "any">>,
  others: "closed" | "open" = "closed",
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new TypeError(`The options of ${subject} must be an object.`);
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      if (others === "open") continue;
      throw new TypeError(
        `${subject} has no option '${name}'. Its options are ${Object.keys(kinds).join(", ")}.`,
      );
    }
    if (value === undefined || kind === "any") continue;
    const wanted = problemWith(kind, value);
    if (wanted !== undefined)
      throw new TypeError(`The option '${name}' of ${subject} must be ${wanted}.`);
  }
}

function problemWith(kind: ConfigurationKind, value: unknown): string | undefined {
  if (typeof kind === "string") return KINDS[kind].accepts(value) ? undefined : KINDS[kind].is;
  return kind.some((one) => one === value) ? undefined : kind.map((one) => `"${one}"`).join(" or ");
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && !Number.isNaN(value);
}
