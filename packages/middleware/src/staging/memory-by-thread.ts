import { MemoryBackend } from "@fs/protocol";
import { isRecord } from "@fs/tools";

/** One `MemoryBackend` for each LangGraph thread, for `staging.upper`: what several agents on a thread share. */
export function memoryByThread(): (runtime: unknown) => MemoryBackend {
  const byThread = new Map<unknown, MemoryBackend>();
  return (runtime) => {
    const thread = threadOf(runtime);
    const own = byThread.get(thread) ?? new MemoryBackend();
    byThread.set(thread, own);
    return own;
  };
}

function threadOf(runtime: unknown): unknown {
  const configurable = isRecord(runtime) ? runtime["configurable"] : undefined;
  return isRecord(configurable) ? configurable["thread_id"] : undefined;
}
