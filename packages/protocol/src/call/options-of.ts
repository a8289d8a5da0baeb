/** The options of a call that ends with this signal, if there is one. */
export function optionsOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
