import type { Filesystem, FileChange, WatchableBackend } from "@fs/protocol";
import { uriOf } from "./file-uri.js";

/** Changes of files, for those who listen. */
export interface ChangeFeed {
  /** Calls back with the URI of every file that changes, until the returned function is called. */
  readonly listen: (listener: (uri: string) => void) => () => void;
  readonly close: () => void;
}

/** The changes of a backend, or `undefined` where it cannot tell of them. Watching begins with the first listener. */
export function changeFeedOf(
  backend: Filesystem,
  onError: (error: unknown) => void,
): ChangeFeed | undefined {
  if (!canWatch(backend)) return undefined;
  const listeners = new Set<(uri: string) => void>();
  const closing = new AbortController();
  let watching = false;
  const watch = async (): Promise<void> => {
    const { changes, error } = await backend.watch("/", { signal: closing.signal });
    if (changes === undefined) throw new Error(error);
    for await (const change of changes) announce(change);
  };
  const announce = ({ path }: FileChange): void => {
    for (const listener of listeners) listener(uriOf(path));
  };
  return {
    listen(listener) {
      listeners.add(listener);
      if (!watching) {
        watching = true;
        watch()
          .catch(onError)
          .finally(() => {
            watching = false;
          });
      }
      return () => {
        listeners.delete(listener);
      };
    },
    close: () => {
      closing.abort();
    },
  };
}

function canWatch(backend: Filesystem): backend is Filesystem & WatchableBackend {
  return typeof Reflect.get(backend, "watch") === "function";
}
