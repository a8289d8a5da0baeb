import type * as asyncHooks from "node:async_hooks";
import type * as buffer from "node:buffer";
import type * as crypto from "node:crypto";
import type { getMaxListeners, setMaxListeners } from "node:events";

/** What Node's `process` has and a browser's global object has not. */
interface NodeProcess {
  readonly getBuiltinModule?: (name: string) => unknown;
}

interface BuiltinModules {
  readonly "node:async_hooks": typeof asyncHooks;
  readonly "node:buffer": typeof buffer;
  readonly "node:crypto": typeof crypto;
  readonly "node:events": {
    readonly getMaxListeners: typeof getMaxListeners;
    readonly setMaxListeners: typeof setMaxListeners;
  };
}

/**
 * A module of Node, or `undefined` in a browser or an edge runtime without it. Asked for at run time, since an `import` of it
 * would keep a bundler for those from bundling anything of this package.
 */
export function builtinModule<Name extends keyof BuiltinModules>(
  name: Name,
): BuiltinModules[Name] | undefined {
  const { process }: { readonly process?: NodeProcess } = globalThis;
  return process?.getBuiltinModule?.(name) as BuiltinModules[Name] | undefined;
}
