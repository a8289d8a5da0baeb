/**
 * The filesystem protocol for AI agents: result types, the rules every backend obeys, and the router.
 *
 * @module
 */
export { VolumeBackend, type VolumeBackendOptions } from "./backend/volume-backend.js";
export { CompositeBackend, type CompositeBackendOptions } from "./composite/composite-backend.js";
export { ERROR_CODES, type ErrorCode, isErrorCode } from "./errors/codes.js";
export { type Failure, failure } from "./errors/messages.js";
export { MemoryBackend } from "./memory/memory-backend.js";
export { MemoryVolume } from "./memory/memory-volume.js";
export type * from "./types/options.js";
export type * from "./types/protocol.js";
export type * from "./types/results.js";
export type * from "./types/watch.js";
export { adaptBackendProtocol, adaptSandboxProtocol } from "./v1/adapt.js";
export { isFileDataV1, toFileDataV1, toFileDataV2 } from "./v1/file-data.js";
export { isSandboxBackend, isSandboxProtocol } from "./v1/guards.js";
export type * from "./v1/protocol-v1.js";
export { type BackendFactory, resolveBackend } from "./v1/resolve.js";
export { type AuditEntry, type AuditOptions, type AuditSink, withAudit } from "./wrap/audit.js";
export { type Caller, currentCaller, runAsCaller } from "./wrap/caller.js";
export { ConfigurationError } from "./wrap/configuration-error.js";
export {
  type Access,
  type Around,
  type BackendCall,
  type FilesystemOperation,
  interceptBackend,
} from "./wrap/intercept.js";
export type { PermissionPrompt, PermissionRequest } from "./wrap/permission-guard.js";
export type { FilesystemPermission, PermissionMode } from "./wrap/permission-rules.js";
export { type PermissionOptions, withPermissions } from "./wrap/permissions.js";
export {
  type AfterHook,
  type BeforeHook,
  type Policy,
  type PolicyCall,
  withPolicy,
} from "./wrap/policy.js";
export { readOnly } from "./wrap/read-only.js";
export {
  type TracingOptions,
  type TracingSpan,
  type TracingTracer,
  withTracing,
} from "./wrap/tracing.js";
export {
  type BackendMethods,
  type MaybeSandbox,
  type MethodName,
  wrapBackend,
  type Wrapping,
} from "./wrap/wrap-backend.js";
export { type Quota, withQuota } from "./wrap/quota.js";
