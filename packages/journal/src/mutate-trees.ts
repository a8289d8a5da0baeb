import { type Change, sideOf } from "@fs/changes";
import { comparePaths, isUncertain, joinPath, prefixOf, VolumeError } from "@fs/protocol/author";
import { type FileAnswer, holds } from "./mutate-file.js";
import type { Ending, Recorder } from "./recorder.js";

/** A call that changes many files, or moves some. */
export interface TreeMutation<R extends FileAnswer> {
  readonly method: string;
  /** What it is to change. */
  readonly changes: readonly Change[];
  readonly contents: readonly Uint8Array[];
  /** By the path of a file that is moved or copied: where it comes from. */
  readonly sources?: ReadonlyMap<string, string>;
  readonly command?: string;
  call(): Promise<R>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a call that takes no condition and records it. What the files hold afterwards is looked at: the record is exact only
 * where that is what was foreseen.
 */
export async function mutateTree<R extends FileAnswer>(
  recorder: Recorder,
  { call, signal, ...intent }: TreeMutation<R>,
): Promise<R> {
  const recorded = async (id: string): Promise<R> => {
    const answer = await call();
    if (!answer.error) await recorder.end(id, ending(recorder, intent), signal);
    else if (!isUncertain(new VolumeError(answer.code ?? "unavailable")))
      await recorder.end(id, { outcome: "refused", code: answer.code, changes: [] }, signal);
    return answer;
  };
  return recorder.around({ ...intent, exact: false }, recorded, signal);
}

/** What the files hold afterwards. */
async function ending(
  { files }: Recorder,
  { changes, sources }: Pick<TreeMutation<FileAnswer>, "changes" | "sources">,
): Promise<Ending> {
  const held = await files.getMany(changes.map(({ path }) => path));
  const made = changes.map((change, index): Change => {
    const file = held[index];
    return { ...change, after: file === undefined ? null : sideOf(file.bytes, file.version) };
  });
  const others = held.filter((file, index) => !holds(file, changes[index]?.after ?? null));
  const contents = others.flatMap((file) => (file === undefined ? [] : [file.bytes]));
  return { outcome: "done", changes: made, contents, sources };
}

/** What removing a path changes: the file, or all below the directory. */
export async function removalOf(
  { files }: Recorder,
  path: string,
  signal?: AbortSignal,
): Promise<Pick<TreeMutation<FileAnswer>, "changes" | "contents">> {
  const listed = await files.files(path, undefined, signal);
  const below = listed.map((info) => info.path).filter((file) => file !== path);
  const seen = await files.getMany(below, signal);
  return {
    contents: seen.flatMap((file) => (file === undefined ? [] : [file.bytes])),
    changes: below.flatMap((file, index) => {
      const content = seen[index];
      if (content === undefined) return [];
      return [{ path: file, before: sideOf(content.bytes, content.version), after: null }];
    }),
  };
}

/** What a move or a copy changes: each file at its destination, and of a move at its source. */
export async function transferOf(
  { files }: Recorder,
  from: string,
  to: string,
  moves: boolean,
  signal?: AbortSignal,
): Promise<Pick<TreeMutation<FileAnswer>, "changes" | "contents" | "sources">> {
  const single = await files.get(from, signal);
  const below = single === undefined ? await files.files(from, undefined, signal) : [];
  const sources = single === undefined ? below.map(({ path }) => path) : [from];
  const targets = sources.map((path) =>
    path === from ? to : joinPath(to, path.slice(prefixOf(from).length)),
  );
  const taken = new Set(targets);
  const [contents, replaced] = await Promise.all([
    files.getMany(sources, signal),
    files.getMany(targets, signal),
  ]);
  const changes = sources.flatMap((path, index): Change[] => {
    const file = contents[index];
    const target = targets[index];
    if (file === undefined || target === undefined) return [];
    const old = replaced[index];
    const before = old === undefined ? null : sideOf(old.bytes, old.version);
    const arrival = { path: target, before, after: sideOf(file.bytes) };
    if (!moves) return [arrival];
    const moved = { ...arrival, from: path };
    // Where a directory comes over one above it, a file may arrive at the very path that another leaves.
    if (taken.has(path)) return [moved];
    return [moved, { path, before: sideOf(file.bytes, file.version), after: null }];
  });
  const kept = [...contents, ...replaced].flatMap((file) =>
    file === undefined ? [] : [file.bytes],
  );
  return {
    changes: changes.toSorted((a, b) => comparePaths(a.path, b.path)),
    contents: kept,
    sources: new Map(targets.map((target, index) => [target, sources[index] ?? target])),
  };
}
