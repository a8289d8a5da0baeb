import type { BackendProtocolV2 } from "@fs/protocol";

/** Makes a backend for each call, from the tool's or the model call's runtime. */
export type BackendFactory = (runtime: unknown) => BackendProtocolV2 | Promise<BackendProtocolV2>;

/** A backend for one call. */
export type BackendSource = (runtime: unknown) => Promise<BackendProtocolV2>;

/** Where the tools get their backend from. */
export function sourceOf(backend: BackendProtocolV2 | BackendFactory): BackendSource {
  return typeof backend === "function" ? async (runtime) => backend(runtime) : async () => backend;
}
