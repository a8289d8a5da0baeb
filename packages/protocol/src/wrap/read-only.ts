import { failure } from "../errors/messages.js";
import type { BackendProtocolV2 } from "../types/protocol.js";
import { interceptBackend } from "./intercept.js";

/**
 * A backend that only reads. Whatever would change something answers `permission_denied`, whether or not the path
 * exists; `execute` is absent, because a command could change anything.
 */
export function readOnly(backend: BackendProtocolV2): BackendProtocolV2 {
  return interceptBackend(
    backend,
    async ({ accesses }, proceed, refuse) => {
      const change = accesses.find(({ operation }) => operation !== "read");
      if (change === undefined) return proceed();
      return refuse(failure("permission_denied", change.path, "This filesystem is read-only."));
    },
    ["execute"],
  );
}
