import { type AnyBackendProtocol, ConfigurationError } from "@fs/protocol";
import type * as Staging from "@fs/staging";
import { memoryByThread } from "./memory-by-thread.js";
import type { StagingSettings } from "./options.js";

/** The staged form of a backend, for one call. */
export type StagedBackends = (
  base: AnyBackendProtocol,
  runtime: unknown,
) => Promise<Staging.StagingBackend>;

/** Where the staged forms of an agent's backends come from. The package is imported with the first call. */
export function stagedBackends({ upper }: StagingSettings): StagedBackends {
  const inMemory = memoryByThread();
  const made = new WeakMap<object, WeakMap<object, Staging.StagingBackend>>();
  const upperOf = (runtime: unknown): AnyBackendProtocol => {
    if (typeof upper === "function") return upper(runtime);
    return upper ?? inMemory(runtime);
  };
  return async (base, runtime) => {
    const { StagingBackend } = await importStaging();
    const over = upperOf(runtime);
    const known = made.get(base) ?? new WeakMap<object, Staging.StagingBackend>();
    const staged = known.get(over) ?? new StagingBackend(base, { upper: over });
    made.set(base, known.set(over, staged));
    return staged;
  };
}

/** The package that staging needs. Rejects with a ConfigurationError where it is not installed. */
export async function importStaging(): Promise<typeof Staging> {
  try {
    return await import("@fs/staging");
  } catch (error) {
    if (Reflect.get(Object(error), "code") !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ConfigurationError(
      "'staging' needs a package that is not installed: npm install @fs/staging",
    );
  }
}
