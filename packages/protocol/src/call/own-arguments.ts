/**
 * The arguments of a call as the call's own: lists, their items, options and bytes are copied, because a wrapper or a router
 * may wait before it passes them on, and the caller may change them meanwhile. What cannot be read is left for the backend
 * below to refuse.
 */
export function ownArguments<A extends readonly unknown[]>(args: A): A {
  return args.map(ownValue) as unknown as A;
}

function ownValue(value: unknown): unknown {
  try {
    if (value instanceof Uint8Array) return new Uint8Array(value);
    if (Array.isArray(value)) return Array.from(value, ownValue);
    return isPlain(value) ? { ...value } : value;
  } catch {
    // A getter threw: the backend answers for it.
    return value;
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
