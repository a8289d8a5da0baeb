import {
  adaptBackendProtocol,
  type BackendFactory,
  type Filesystem,
  MemoryBackend,
  resolveBackend,
  withPermissions,
} from "@fs/protocol";
import { StateBackend } from "@fs/state";
import type { FilesystemMiddlewareOptions } from "./options.js";
import type { StagedBackends } from "./staging/staged-backends.js";
import { askHuman } from "./permission-prompt.js";

/** A backend for one call. */
type BackendSource = (runtime: unknown) => Promise<Filesystem>;

/** The backends of a middleware. */
export interface BackendSources {
  /** For the tools: may pause the run to ask a human. */
  readonly tools: BackendSource;
  /** For saving large results: never asks, because a paused run would make the tool's call again. */
  readonly saving: BackendSource;
  /** The backend of the tools, where it is known from the start. */
  readonly known: Filesystem | undefined;
  /** What staging is over: without the rules for the agent. */
  readonly base: BackendSource;
}

/** Where the tools and the offloading get their backends from. Throws a ConfigurationError for rules that cannot hold. */
export function sourcesOf(
  { backend, permissions }: Pick<FilesystemMiddlewareOptions, "backend" | "permissions">,
  execute: boolean,
  staged?: StagedBackends,
): BackendSources {
  const rules = permissions ?? [];
  const guard = (inner: Filesystem, ask: boolean): Filesystem =>
    rules.length > 0
      ? withPermissions(inner, rules, { execute, ...(ask ? { onInterrupt: askHuman } : {}) })
      : inner;
  const fixed =
    typeof backend === "function" ? undefined : adaptBackendProtocol(backend ?? new StateBackend());
  const base: BackendSource = async (runtime) =>
    fixed ?? resolveBackend(backend as BackendFactory<unknown>, runtime);
  if (fixed === undefined || staged !== undefined) {
    // Rules that cannot be understood must fail now, not at the first call.
    guard(new MemoryBackend(), true);
    return {
      tools: async (runtime) => {
        const inner = await base(runtime);
        return guard(staged === undefined ? inner : await staged(inner, runtime), true);
      },
      saving: async (runtime) => guard(await base(runtime), false),
      known: undefined,
      base,
    };
  }
  const [tools, saving] = [guard(fixed, true), guard(fixed, false)];
  return { tools: async () => tools, saving: async () => saving, known: tools, base };
}
