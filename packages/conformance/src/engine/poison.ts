/** What buffers are overwritten with after a call: 0xAA in results, 0x55 in arguments. */
const RESULT_POISON = 0xaa;
const ARGUMENT_POISON = 0x55;

/**
 * A copy of an argument list for the backend alone, so that what it keeps of it can be spoiled later. Values that cannot
 * be copied (signals, functions) go as they are.
 */
export function detachedArguments(args: readonly unknown[]): unknown[] {
  return args.map(detached);
}

function detached(value: unknown): unknown {
  if (value instanceof Uint8Array) {
    // A view into a larger buffer stays one: whoever ignores byteOffset must not get away with it.
    const whole = new Uint8Array(value.buffer.slice(0));
    return whole.subarray(value.byteOffset, value.byteOffset + value.byteLength);
  }
  if (Array.isArray(value)) return value.map(detached);
  if (
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !hasGetter(value)
  ) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, detached(field)]));
  }
  return value;
}

/** An object that computes its fields cannot be copied without asking it. */
function hasGetter(value: object): boolean {
  return Object.values(Object.getOwnPropertyDescriptors(value)).some(
    ({ get }) => get !== undefined,
  );
}

/** Overwrites what the backend was given: a backend that kept it now holds other bytes than it acknowledged. */
export function spoilArguments(args: readonly unknown[]): void {
  for (const value of args) spoil(value, ARGUMENT_POISON);
}

function spoil(value: unknown, poison: number): void {
  if (value instanceof Uint8Array) value.fill(poison);
  else if (Array.isArray(value)) for (const item of value) spoil(item, poison);
}

/**
 * A copy of a result for the case, after which the original is overwritten: a backend that handed out what it stores
 * now stores other bytes than it acknowledged.
 */
export function detachedResult(result: unknown): unknown {
  const copy = copied(result);
  spoilResult(result);
  return copy;
}

function copied(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, copied(field)]));
  }
  return value;
}

function spoilResult(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(RESULT_POISON);
  else if (Array.isArray(value)) {
    for (const item of value) spoilResult(item);
    if (!Object.isFrozen(value)) value.splice(0);
  } else if (typeof value === "object" && value !== null) {
    for (const key of ["content", "data", "files", "matches"]) {
      if (key in value) spoilResult((value as Record<string, unknown>)[key]);
    }
  }
}

/** Overwrites a result in every field of every object in it, as a caller may. Frozen parts stay. */
export function spoiledDeeply(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(RESULT_POISON);
  else if (Array.isArray(value)) {
    for (const item of value) spoiledDeeply(item);
    if (!Object.isFrozen(value)) value.splice(0, value.length, "spoiled");
  } else if (typeof value === "object" && value !== null) {
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record)) {
      spoiledDeeply(record[key]);
      if (!Object.isFrozen(record)) Reflect.set(record, key, "spoiled");
    }
  }
}
