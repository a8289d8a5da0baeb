/**
 * The filesystem protocol for AI agents: result types, the rules every backend obeys, and the router.
 *
 * @module
 */
export { CompositeBackend, type CompositeBackendOptions } from "./composite/composite-backend.js";
export { ERROR_CODES, type ErrorCode, isErrorCode } from "./errors/codes.js";
export { failure } from "./errors/messages.js";
export type { Failure, ForeignOutcome, MaybePromise, Outcome, Sentence } from "./types/outcome.js";
export type * from "./types/foreign.js";
export { MemoryBackend } from "./memory/memory-backend.js";
export { MemoryVolume } from "./memory/memory-volume.js";
export type * from "./types/options.js";
export type * from "./types/protocol.js";
export type * from "./types/results.js";
export type * from "./types/watch.js";
export { adaptBackendProtocol, adaptSandboxProtocol } from "./border/adapt.js";
export { isFileDataV1, toFileDataV1, toFileDataV2 } from "./border/file-data.js";
export { isSandboxBackend, isSandboxProtocol } from "./border/guards.js";
export type * from "./border/any-backend.js";
export type * from "./border/protocol-v1.js";
export { type BackendFactory, resolveBackend } from "./border/resolve.js";
export { type AuditEntry, type AuditOptions, type AuditSink, withAudit } from "./wrap/audit.js";
export { type Caller, currentCaller, runAsCaller } from "./call/caller.js";
export { ConfigurationError } from "./errors/configuration-error.js";
export { type Access, type Around, type BackendCall, interceptBackend } from "./wrap/intercept.js";
export {
  type BackendMethods,
  type FilesystemOperation,
  type Method,
  METHODS,
  type MethodName,
  type OptionalMethod,
} from "./call/methods.js";
export type { PermissionPrompt, PermissionRequest } from "./wrap/permission-guard.js";
export type { FilesystemPermission, PermissionMode } from "./wrap/permission-rules.js";
export { type PermissionOptions, withPermissions } from "./wrap/permissions.js";
export type { AfterHook, BeforeHook, Policy, PolicyCall } from "./wrap/policy-types.js";
export { withPolicy } from "./wrap/policy.js";
export { readOnly } from "./wrap/read-only.js";
export {
  type TracingOptions,
  type TracingSpan,
  type TracingTracer,
  withTracing,
} from "./wrap/tracing.js";
export {
  type MaybeSandbox,
  wrapBackend,
  type Wrapped,
  type Wrapping,
} from "./wrap/wrap-backend.js";
export { type Quota, withQuota } from "./wrap/quota.js";
