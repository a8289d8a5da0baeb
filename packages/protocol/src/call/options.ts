import { VolumeError } from "../errors/volume-error.js";
import type { OptionKind } from "./methods.js";

const KINDS: Readonly<Record<OptionKind, { accepts: (value: unknown) => boolean; is: string }>> = {
  signal: { accepts: isSignal, is: "an AbortSignal" },
  count: { accepts: isCount, is: "a whole number, 0 or more" },
  text: { accepts: (value) => typeof value === "string", is: "a string" },
  // An empty version would be no condition at all to a storage that has none for "any".
  version: {
    accepts: (value) => typeof value === "string" && value !== "",
    is: "a version that an answer named",
  },
  flag: { accepts: (value) => typeof value === "boolean", is: "true or false" },
  seconds: {
    accepts: (value) => typeof value === "number" && value >= 0,
    is: "seconds, 0 or more",
  },
};

/**
 * The options of a call, each read once and checked. `null`, `undefined` and options that are `undefined` are none.
 *
 * Throws `invalid_argument` for an option of the wrong type, or one that the operation does not have: an option that is
 * silently ignored, such as a misspelt `ifVersion`, would do what its caller wanted to prevent.
 */
export function checkedOptions<O extends object>(
  operation: string,
  known: Readonly<Record<string, OptionKind>>,
  options: O | null | undefined,
): O {
  const checked: Record<string, unknown> = {};
  if (options === undefined || options === null) return checked as O;
  if (typeof options !== "object")
    throw new VolumeError("invalid_argument", `The options of '${operation}' must be an object.`);
  for (const name of Object.keys(options)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) continue;
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) throw unknownOption(operation, name, Object.keys(known));
    if (!KINDS[kind].accepts(value))
      throw new VolumeError(
        "invalid_argument",
        `'${name}' of '${operation}' must be ${KINDS[kind].is}.`,
      );
    checked[name] = value;
  }
  if (checked["ifVersion"] !== undefined && checked["ifAbsent"] === true)
    throw new VolumeError(
      "invalid_argument",
      "'ifAbsent' and 'ifVersion' contradict each other: give one of the two.",
    );
  return checked as O;
}

/** Returns whether a value can be listened to as an AbortSignal, also one of another realm. */
export function isSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === "object" &&
    value !== null &&
    "aborted" in value &&
    typeof value.aborted === "boolean" &&
    "addEventListener" in value &&
    typeof value.addEventListener === "function" &&
    "removeEventListener" in value &&
    typeof value.removeEventListener === "function"
  );
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function unknownOption(operation: string, name: string, known: readonly string[]): VolumeError {
  const shown = /^[\w-]{1,40}$/.test(name) ? `'${name}'` : "an option of that name";
  return new VolumeError(
    "invalid_argument",
    `'${operation}' does not have ${shown}. Its options are ${known.join(", ")}.`,
  );
}
