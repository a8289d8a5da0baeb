import {
  adaptBackendProtocol,
  type BackendFactory,
  type Filesystem,
  type FilesystemPermission,
  resolveBackend,
  withPermissions,
} from "@fs/protocol";
import type { BackendOption } from "@fs/middleware";
import { StateBackend } from "@fs/state";
import { isRecord } from "../messages/record.js";
import { filesOfGraph } from "./graph-files.js";

/** The files as the harness itself sees them: under the agent's rules, and never asking a human. */
export type FileSource = (runtime: unknown) => Promise<Filesystem>;

/** Where the harness reads skills and memory from and saves history to. A rule that would ask a human refuses instead. */
export function fileSource(
  backend: BackendOption | undefined,
  permissions: readonly FilesystemPermission[] = [],
): FileSource {
  const guarded = (inner: Filesystem): Filesystem =>
    permissions.length === 0 ? inner : withPermissions(inner, permissions, { execute: false });
  if (typeof backend === "function")
    return async (runtime) =>
      guarded(await resolveBackend(backend as BackendFactory<unknown>, withFiles(runtime)));
  const known = guarded(adaptBackendProtocol(backend ?? new StateBackend()));
  return async () => known;
}

/** A hook sees only the fields of its own middleware, but a backend made for a runtime reads `files` from its state. */
function withFiles(runtime: unknown): unknown {
  if (!isRecord(runtime)) return runtime;
  const { state } = runtime;
  if (isRecord(state) && state["files"] !== undefined) return runtime;
  const files = filesOfGraph();
  return files === undefined
    ? runtime
    : { ...runtime, state: { ...(isRecord(state) ? state : {}), files } };
}
