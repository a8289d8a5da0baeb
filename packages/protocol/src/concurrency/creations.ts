import { VolumeError } from "../errors/volume-error.js";
import { ancestorsOf } from "../paths/segments.js";
import { onAbort } from "./on-abort.js";

/**
 * Lets creations of which one would stand below the other go one after the other, and all others at the same time: between the
 * look at what is above and below a path, and the moment at which it is stored, no other creation that goes through here comes in between. It is no
 * lock against other clients. Whoever holds a place in a {@link KeyedQueue} must not wait for one here.
 */
export class Creations {
  /** The tasks under way by each path that they create. */
  readonly #at = new Map<string, Set<Promise<unknown>>>();
  /** The same tasks by each directory above these paths. */
  readonly #below = new Map<string, Set<Promise<unknown>>>();

  /**
   * Settles as the task does, once every earlier task that creates something above or below one of the paths has settled. A signal
   * that fires before the task has begun rejects with `aborted` at once, and the task is left out.
   *
   * @param paths Of files; of a directory that comes at once, its path with a trailing slash.
   * @param task Never throws at once.
   */
  run<T>(paths: readonly string[], task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const earlier = this.#relatedTo(paths);
    const turn = earlier.size === 0 ? task() : inTurn([...earlier], task, signal);
    this.#hold(paths, turn);
    return turn;
  }

  #relatedTo(paths: readonly string[]): Set<Promise<unknown>> {
    const related = new Set<Promise<unknown>>();
    for (const path of paths) {
      for (const task of this.#below.get(path) ?? []) related.add(task);
      for (const above of ancestorsOf(path))
        for (const task of this.#at.get(above) ?? []) related.add(task);
    }
    return related;
  }

  #hold(paths: readonly string[], turn: Promise<unknown>): void {
    const directories = new Set(paths.flatMap(ancestorsOf));
    for (const path of paths) add(this.#at, path, turn);
    for (const directory of directories) add(this.#below, directory, turn);
    const release = (): void => {
      for (const path of paths) remove(this.#at, path, turn);
      for (const directory of directories) remove(this.#below, directory, turn);
    };
    turn.then(release, release);
  }
}

function inTurn<T>(
  earlier: ReadonlyArray<Promise<unknown>>,
  task: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(new VolumeError("aborted"));
    const stopListening = signal === undefined ? undefined : onAbort(signal, leave);
    const begin = (): void => {
      stopListening?.();
      if (signal?.aborted === true) leave();
      else resolve(task());
    };
    void Promise.allSettled(earlier).then(begin);
  });
}

function add<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function remove<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key);
  set?.delete(value);
  if (set?.size === 0) sets.delete(key);
}
