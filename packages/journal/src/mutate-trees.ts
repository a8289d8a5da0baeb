import type { Change } from "@fs/changes";
import {
  comparePaths,
  isCanonicalFilePath,
  isUncertain,
  joinPath,
  prefixOf,
  VolumeError,
} from "@fs/protocol/author";
import { type FileAnswer, holds } from "./mutate-file.js";
import type { Ending, Recorder } from "./recorder.js";
import { CLOSED, contentsOf, lookAtAll, stateOf } from "./seen-state.js";

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
  const held = await lookAtAll(
    files,
    changes.map(({ path }) => path),
  );
  const others = held.filter((seen, index) => {
    const foreseen = changes[index]?.after ?? null;
    return seen !== CLOSED && !holds(seen, foreseen);
  });
  const made = changes.map((change, index): Change => {
    const seen = held[index];
    // The call was answered as done: where that may not be looked at, it is as foreseen.
    return seen === CLOSED ? change : { ...change, after: stateOf(seen) };
  });
  return { outcome: "done", changes: made, contents: contentsOf(others), sources };
}

/** What removing a path changes: the file, or all below the directory. */
export async function removalOf(
  { files }: Recorder,
  path: string,
  signal?: AbortSignal,
): Promise<Pick<TreeMutation<FileAnswer>, "changes" | "contents">> {
  const listed = await files.files(path, undefined, signal);
  const below = listed.map((info) => info.path).filter((file) => file !== path);
  const seen = await lookAtAll(files, below, signal);
  return {
    contents: contentsOf(seen),
    changes: below.flatMap((file, index) => {
      const before = stateOf(seen[index]);
      return before === null ? [] : [{ path: file, before, after: null }];
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
  const [single] = await lookAtAll(files, [from], signal);
  const below = single === undefined ? await files.files(from, undefined, signal) : [];
  const sources = single === undefined ? below.map(({ path }) => path) : [from];
  const targets = sources.map((path) =>
    path === from ? to : joinPath(to, path.slice(prefixOf(from).length)),
  );
  // No file arrives where no path can name it, such as the root: the backend refuses the call.
  if (!targets.every(isCanonicalFilePath)) return { changes: [], contents: [], sources: new Map() };
  const taken = new Set(targets);
  const [contents, replaced] = await Promise.all([
    lookAtAll(files, sources, signal),
    lookAtAll(files, targets, signal),
  ]);
  const changes = sources.flatMap((path, index): Change[] => {
    const file = stateOf(contents[index]);
    const target = targets[index];
    if (file === null || target === undefined) return [];
    const { version, ...content } = file;
    // Its content alone goes along; of what may not be read not even that is known.
    const after = file.hash === undefined ? { ...content, version } : content;
    const arrival = { path: target, before: stateOf(replaced[index]), after };
    if (!moves) return [arrival];
    const moved = { ...arrival, from: path };
    // Where a directory comes over one above it, a file may arrive at the very path that another leaves.
    if (taken.has(path)) return [moved];
    return [moved, { path, before: file, after: null }];
  });
  return {
    changes: changes.toSorted((a, b) => comparePaths(a.path, b.path)),
    contents: contentsOf([...contents, ...replaced]),
    sources: new Map(targets.map((target, index) => [target, sources[index] ?? target])),
  };
}
