import { failure } from "../errors/messages.js";
import type { AnyBackendProtocol } from "../border/any-backend.js";
import { interceptBackend } from "./intercept.js";
import type { Wrapped } from "./wrap-backend.js";

/**
 * A backend that only reads. Whatever would change something answers `permission_denied`, whether or not the path
 * exists; `execute` is absent, because a command could change anything.
 */
export function readOnly<B extends AnyBackendProtocol>(backend: B): Wrapped<B, "execute" | "id"> {
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
