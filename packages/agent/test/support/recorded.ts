/** A backend that records the methods that are called, in their order. */
export function recorded<B extends object>(
  inner: B,
): { readonly backend: B; readonly calls: string[] } {
  const calls: string[] = [];
  const backend = new Proxy(inner, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        calls.push(String(key));
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
  return { backend, calls };
}
