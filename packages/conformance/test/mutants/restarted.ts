import { type BackendProtocolV2, MemoryVolume } from "@fs/protocol";
import { VolumeBackend, type VolumeFile } from "@fs/protocol/author";
import { type Mutant, overlay } from "./mutant.js";

/** Methods of a process in place of those of a correct backend. */
export type MethodsOf = (inner: VolumeBackend) => Partial<BackendProtocolV2>;

/** What a process does with the files of a storage. */
interface Process<V extends MemoryVolume> {
  /** What it gets wrong of the files when it begins, where others were before it. */
  readonly begin?: (volume: V) => Promise<void> | void;
  /** Methods of a process in which nothing is wrong yet. */
  readonly before?: MethodsOf;
  /** Methods of a process that has begun with files of others. */
  readonly after?: MethodsOf;
}

/** A mutant whose bug shows once another process has the files. */
export function restarted<V extends MemoryVolume = MemoryVolume>(
  name: string,
  rule: string,
  bug: string,
  parts: () => Process<V> & { readonly volume?: V },
): Mutant {
  const make = (): ReturnType<NonNullable<Mutant["restarted"]>> => {
    const { begin, before, after, volume = new MemoryVolume() as V } = parts();
    const open = (methods: MethodsOf | undefined): BackendProtocolV2 => {
      const inner = new VolumeBackend(volume);
      return methods === undefined ? inner : overlay(inner, methods(inner));
    };
    const again = async (): Promise<BackendProtocolV2> => {
      await begin?.(volume);
      return open(after);
    };
    return { first: open(before), again };
  };
  return { name: `restart/${name}`, rule, bug, create: () => make().first, restarted: make };
}

/** The paths of all files that are stored. */
export async function pathsIn(volume: MemoryVolume): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path, kind } of volume.list("/", { deep: true }))
    if (kind === "file") paths.push(path);
  return paths;
}

/** All files that are stored. */
export async function filesIn(volume: MemoryVolume): Promise<Map<string, VolumeFile>> {
  const files = new Map<string, VolumeFile>();
  for (const path of await pathsIn(volume)) {
    const file = await volume.get(path);
    if (file !== undefined) files.set(path, file);
  }
  return files;
}
