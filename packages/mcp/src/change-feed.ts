import type { Filesystem, WatchableBackend } from "@fs/protocol";
import { setTimeout as delay } from "node:timers/promises";
import { uriOf } from "./file-uri.js";

/** Milliseconds until a watch that failed is tried again; twice as many each time. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
/** Milliseconds in which all that come and go are one change of the list. */
const LIST_PAUSE_MS = 100;

/** Is called with the URI of a file that changed, and with `undefined` when there may be other files than before. */
export type ChangeListener = (uri: string | undefined) => void;

/** Changes of files, for those who listen. */
export interface ChangeFeed {
  /** Calls back with everything that changes, until the returned function is called. */
  readonly listen: (listener: ChangeListener) => () => void;
  readonly close: () => void;
}

/**
 * The changes of a backend, or `undefined` where it cannot tell of them. Watching begins with the first listener; one that
 * fails is reported and tried again. What may have changed unseen is announced as every file that is there, and the list.
 */
export function changeFeedOf(
  backend: Filesystem,
  onError: (error: unknown) => void,
): ChangeFeed | undefined {
  if (!canWatch(backend)) return undefined;
  const listeners = new Set<ChangeListener>();
  const closing = new AbortController();
  const { signal } = closing;
  const announce: ChangeListener = (uri) => {
    for (const listener of listeners) listener(uri);
  };
  let listSoon: NodeJS.Timeout | undefined;
  const announceList = (): void => {
    listSoon ??= setTimeout(() => {
      listSoon = undefined;
      if (!signal.aborted) announce(undefined);
    }, LIST_PAUSE_MS).unref();
  };
  const announceAll = async (): Promise<void> => {
    const { files = [], error } = await backend.glob("**", "/", { signal });
    if (error !== undefined) onError(new Error(error));
    for (const { path } of files) announce(uriOf(path));
    announceList();
  };
  /** Returns when the backend ends the changes. */
  const watch = async (again: boolean): Promise<void> => {
    const { changes, error } = await backend.watch("/", { signal });
    if (changes === undefined) throw new Error(error);
    if (again) await announceAll();
    for await (const { path, type } of changes) {
      // One change of the watched directory stands for all that may have happened.
      if (path === "/") await announceAll();
      else announce(uriOf(path));
      if (type !== "changed") announceList();
    }
  };
  const watchOn = async (): Promise<void> => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await watch(pause > FIRST_PAUSE_MS);
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
      }
      await delay(pause, undefined, { signal, ref: false });
    }
  };
  let watching = false;
  const start = async (): Promise<void> => {
    watching = true;
    try {
      await watchOn();
    } catch (error) {
      if (!signal.aborted) onError(error);
    } finally {
      watching = false;
    }
  };
  return {
    listen(listener) {
      listeners.add(listener);
      if (!watching) void start();
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
