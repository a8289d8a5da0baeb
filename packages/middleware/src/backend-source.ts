import {
  adaptBackendProtocol,
  type AnyBackendProtocol,
  type BackendFactory,
  type BackendProtocolV2,
  resolveBackend,
} from "@fs/protocol";

/** A backend for one call. */
export type BackendSource = (runtime: unknown) => Promise<BackendProtocolV2>;

/** Where the tools get their backend from, and the backend itself where it is known from the start. */
export function sourceOf(backend: AnyBackendProtocol | BackendFactory<unknown>): {
  readonly source: BackendSource;
  readonly known: BackendProtocolV2 | undefined;
} {
  if (typeof backend === "function")
    return { source: (runtime) => resolveBackend(backend, runtime), known: undefined };
  const known = adaptBackendProtocol(backend);
  return { source: async () => known, known };
}
