import { setTimeout as delay } from "node:timers/promises";
import { MemoryVolume, type BackendProtocolV2 } from "@fs/protocol";
import {
  ancestorsOf,
  VolumeBackend,
  type Listing,
  type RemoveCondition,
} from "@fs/protocol/author";

/** Directories as records beside the files, which are removed in a second step. */
class RecordedDirectories extends MemoryVolume {
  readonly #directories = new Set<string>();

  override async put(...args: Parameters<MemoryVolume["put"]>): Promise<{ version: string }> {
    for (const above of ancestorsOf(args[0])) this.#directories.add(above);
    return super.put(...args);
  }

  override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    const removed = await super.remove(path, condition);
    const empty: string[] = [];
    for (const above of ancestorsOf(path)) if (!(await this.#holdsFiles(above))) empty.push(above);
    await delay(2);
    for (const above of empty) this.#directories.delete(above);
    return removed;
  }

  override list(...[path, query]: Parameters<MemoryVolume["list"]>): Listing {
    const all = super.list(path, query);
    const isKnown = (one: string): boolean => this.#directories.has(one);
    return (async function* () {
      for await (const entry of all) if (entry.kind === "file" || isKnown(entry.path)) yield entry;
    })();
  }

  async #holdsFiles(directory: string): Promise<boolean> {
    for await (const _ of super.list(directory, { deep: true })) return true;
    return false;
  }
}

/** Two clients of one such storage. */
export function recordedPair(): readonly [BackendProtocolV2, BackendProtocolV2] {
  const volume = new RecordedDirectories();
  return [new VolumeBackend(volume), new VolumeBackend(volume)];
}
