import { canonicalPath } from "@fs/protocol/author";

/**
 * The files whose content a caller has seen: read, written or edited. A conversation keeps them in its messages, a session
 * in memory; a server without sessions knows none, and its callers name a version instead.
 */
export interface KnownFiles {
  /** Whether the caller has seen the file. @param path As the caller wrote it. */
  has(path: string): boolean;
  /** Called after a call that showed or stored the file. @param version Absent where the storage has none. */
  add(path: string, version: string | undefined): void;
}

/** Remembers for as long as the object lives: one for each session. */
export function sessionFiles(): KnownFiles {
  const seen = new Set<string>();
  return {
    has: (path) => seen.has(canonicalName(path)),
    add: (path) => {
      seen.add(canonicalName(path));
    },
  };
}

/** For callers without sessions: no file is known, so that an edit needs `if_version` where `readBeforeEdit` is on. */
export const noKnownFiles: KnownFiles = { has: () => false, add: () => undefined };

/** One spelling for each path; a path that no backend would take stays as it is. */
export function canonicalName(path: string): string {
  const result = canonicalPath(path);
  return result.failure === undefined ? result.path : path;
}
