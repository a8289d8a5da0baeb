import type { BackendProtocolV2, SandboxBackendProtocolV2 } from "../types/foreign.js";
import type { BackendProtocolV1, SandboxBackendProtocolV1 } from "./protocol-v1.js";

/** A backend of either version, of any package. */
export type AnyBackendProtocol = BackendProtocolV1 | BackendProtocolV2;

/** A sandbox of either version, of any package. */
export type AnySandboxProtocol = SandboxBackendProtocolV1 | SandboxBackendProtocolV2;
