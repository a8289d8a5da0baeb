/**
 * Filesystem backends that can execute commands.
 *
 * @module
 */
export { type ResourceLimits } from "./bubblewrap/bubblewrap-arguments.js";
export {
  BubblewrapSandbox,
  type BubblewrapSandboxOptions,
} from "./bubblewrap/bubblewrap-sandbox.js";
export { LocalShellBackend, type LocalShellBackendOptions } from "./local/local-shell-backend.js";
export { BaseSandbox, type BaseSandboxOptions } from "./sandbox/base-sandbox.js";
