import { warnOnce } from "../call/warn-once.js";
import type { Filesystem } from "../types/protocol.js";
import type { MaybePromise } from "../types/outcome.js";
import { adaptBackendProtocol } from "./adapt.js";
import type { AnyBackendProtocol } from "./any-backend.js";

/**
 * Makes a backend for each run.
 *
 * @deprecated Pass a backend; it finds the running graph by itself.
 */
export type BackendFactory<Runtime = never> = (
  runtime: Runtime,
) => MaybePromise<AnyBackendProtocol>;

/** The backend itself, or what a deprecated factory makes of the runtime, as a `Filesystem`. */
export async function resolveBackend<Runtime>(
  backend: AnyBackendProtocol | BackendFactory<Runtime>,
  runtime: Runtime,
): Promise<Filesystem> {
  if (typeof backend !== "function") return adaptBackendProtocol(backend);
  warnOnce(
    "FS_DEP_FACTORY",
    "Backend factories are deprecated: pass a backend, as in `backend: new StateBackend()`.",
  );
  return adaptBackendProtocol(await backend(runtime));
}
