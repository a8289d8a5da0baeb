import { type MemoryBackend, MemoryVolume } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { isRecord } from "@fs/tools";

/**
 * One backend in memory for each LangGraph thread, for `staging.upper`: what several agents on a thread share. One in which
 * nothing is staged is dropped once no call uses it.
 */
export function memoryByThread(): (runtime: unknown) => MemoryBackend {
  const holding = new Map<unknown, MemoryBackend>();
  // A call that has one of these, and is about to stage a change in it, keeps it alive until then.
  const empty = new Map<unknown, WeakRef<MemoryBackend>>();
  const dropped = new FinalizationRegistry<unknown>((thread) => {
    if (empty.get(thread)?.deref() === undefined) empty.delete(thread);
  });
  return (runtime) => {
    const thread = threadOf(runtime);
    const known = holding.get(thread) ?? empty.get(thread)?.deref();
    if (known !== undefined) return known;
    const made: MemoryBackend = new VolumeBackend(
      new StagedVolume((holds) => {
        if (holds) holding.set(thread, made);
        else holding.delete(thread);
      }),
      {},
    );
    empty.set(thread, new WeakRef(made));
    dropped.register(made, thread);
    return made;
  };
}

/** Says when it begins to hold staged changes, and when it holds none any more. */
class StagedVolume extends MemoryVolume {
  readonly #staged = new Set<string>();
  readonly #onChange: (holds: boolean) => void;

  constructor(onChange: (holds: boolean) => void) {
    super();
    this.#onChange = onChange;
  }

  override async put(...parameters: Parameters<MemoryVolume["put"]>) {
    const [path] = parameters;
    const stored = super.put(...parameters);
    await stored;
    if (!isLeftOver(path) && this.#staged.add(path).size === 1) this.#onChange(true);
    return stored;
  }

  override async remove(...parameters: Parameters<MemoryVolume["remove"]>) {
    const removed = await super.remove(...parameters);
    if (this.#staged.delete(parameters[0]) && this.#staged.size === 0) this.#onChange(false);
    return removed;
  }
}

/** Contents that a change may name, and reports of commits, which @fs/staging leaves: without a change they mean nothing. */
function isLeftOver(path: string): boolean {
  return path.startsWith("/blobs/") || path.startsWith("/commits/");
}

function threadOf(runtime: unknown): unknown {
  const configurable = isRecord(runtime) ? runtime["configurable"] : undefined;
  return isRecord(configurable) ? configurable["thread_id"] : undefined;
}
