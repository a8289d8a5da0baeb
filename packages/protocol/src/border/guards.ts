import type { BackendProtocolV2, SandboxBackendProtocolV2 } from "../types/foreign.js";
import type { AnyBackendProtocol, AnySandboxProtocol } from "./any-backend.js";

/** Returns whether a backend can execute commands: it has `execute` and an `id` that is not empty. */
export function isSandboxBackend(backend: unknown): backend is SandboxBackendProtocolV2 {
  return isSandboxProtocol(backend) && backend.id !== "";
}

/** Returns whether a backend, of either version, has `execute` and an `id`. */
export function isSandboxProtocol(backend: unknown): backend is AnySandboxProtocol {
  return (
    typeof backend === "object" &&
    backend !== null &&
    "execute" in backend &&
    typeof backend.execute === "function" &&
    "id" in backend &&
    typeof backend.id === "string"
  );
}

/** Tells the second version of the protocol from the first, by the methods that were renamed. */
export function isBackendV2(backend: AnyBackendProtocol): backend is BackendProtocolV2 {
  return (
    "ls" in backend &&
    typeof backend.ls === "function" &&
    "glob" in backend &&
    typeof backend.glob === "function" &&
    "grep" in backend &&
    typeof backend.grep === "function"
  );
}
