import { inBatches, listingOf } from "../author/listing-of.js";
import { VolumeError } from "../errors/volume-error.js";
import { joinPath, prefixOf, segmentsOf } from "../paths/segments.js";
import type {
  Listing,
  ListQuery,
  PutCondition,
  RemoveCondition,
  Volume,
  VolumeEntry,
  VolumeFile,
} from "../spi/volume.js";

/** A directory: its files and directories by name. */
type Directory = Map<string, VolumeFile | Directory>;

/**
 * Files in a tree of maps: every call costs the depth of its path and the size of its answer. The smallest complete volume,
 * and the one to copy when writing your own.
 */
export class MemoryVolume implements Volume {
  readonly collisions = "refused";
  readonly listsInOrder: boolean = true;
  readonly #root: Directory = new Map();
  #clock = 0;

  async get(path: string): Promise<VolumeFile | undefined> {
    const found = this.#at(path);
    return found instanceof Map ? undefined : found;
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    const old = this.#at(path);
    if (old instanceof Map) throw new VolumeError("is_directory");
    if (condition.ifAbsent === true && old !== undefined) throw new VolumeError("already_exists");
    refuseOther(old, condition);
    const now = new Date().toISOString();
    const version = String(++this.#clock);
    const { directory, name } = this.#placeOf(path);
    directory.set(name, { bytes, version, modifiedAt: now, createdAt: old?.createdAt ?? now });
    return { version };
  }

  async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    const old = this.#at(path);
    if (old instanceof Map) return false;
    refuseOther(old, condition);
    if (old !== undefined) removeFrom(this.#root, segmentsOf(path));
    return old !== undefined;
  }

  list(path: string, { deep }: ListQuery): Listing {
    const found = (): Iterable<VolumeEntry> => {
      const directory = this.#at(path);
      if (!(directory instanceof Map)) return [];
      return deep ? filesBelow(prefixOf(path), directory) : childrenOf(path, directory);
    };
    return listingOf(async function* () {
      yield* inBatches(found());
    });
  }

  #at(path: string): VolumeFile | Directory | undefined {
    let found: VolumeFile | Directory | undefined = this.#root;
    for (const name of segmentsOf(path)) {
      if (!(found instanceof Map)) return undefined;
      found = found.get(name);
    }
    return found;
  }

  /** Where a file goes, with the directories that lead there. Throws `not_directory` below a file. */
  #placeOf(path: string): { directory: Directory; name: string } {
    const names = segmentsOf(path);
    const name = names.pop() ?? "";
    let directory = this.#root;
    for (const parent of names) {
      const child = directory.get(parent) ?? new Map<string, VolumeFile | Directory>();
      if (!(child instanceof Map)) throw new VolumeError("not_directory");
      directory.set(parent, child);
      directory = child;
    }
    return { directory, name };
  }
}

function refuseOther(file: VolumeFile | undefined, { ifVersion }: RemoveCondition): void {
  if (ifVersion !== undefined && file?.version !== ifVersion) throw new VolumeError("conflict");
}

/** Removes a file, and the directories that are empty without it. */
function removeFrom(directory: Directory, [name = "", ...rest]: readonly string[]): void {
  const child = directory.get(name);
  if (child instanceof Map && rest.length > 0) {
    removeFrom(child, rest);
    if (child.size > 0) return;
  }
  directory.delete(name);
}

function* childrenOf(path: string, directory: Directory): Generator<VolumeEntry> {
  for (const [name, child] of directory) yield entryOf(joinPath(path, name), child);
}

/** In path order, in which a directory's name counts with its slash. */
function* filesBelow(prefix: string, directory: Directory): Generator<VolumeEntry> {
  const names: string[] = [];
  for (const [name, child] of directory) names.push(child instanceof Map ? `${name}/` : name);
  // A caller may be slow, and a name become the other kind meanwhile: that one is then left out.
  for (const name of names.toSorted()) {
    if (name.endsWith("/")) {
      const child = directory.get(name.slice(0, -1));
      if (child instanceof Map) yield* filesBelow(prefix + name, child);
    } else {
      const child = directory.get(name);
      if (child !== undefined && !(child instanceof Map)) yield entryOf(prefix + name, child);
    }
  }
}

function entryOf(path: string, found: VolumeFile | Directory): VolumeEntry {
  if (found instanceof Map) return { path, kind: "directory" };
  const { bytes, version, modifiedAt, createdAt } = found;
  return { path, kind: "file", size: bytes.length, version, modifiedAt, createdAt };
}
