import { fileAccess, pathFilter } from "@fs/changes";
import {
  adaptBackendProtocol,
  type AnyBackendProtocol,
  ConfigurationError,
  type Filesystem,
  interceptBackend,
  type MaybeSandbox,
} from "@fs/protocol";
import { checkedConfiguration, failureFromThrown } from "@fs/protocol/author";
import { Journal } from "./journal.js";
import { journalledCalls } from "./journalled-calls.js";
import type { JournalStore } from "./journal-store.js";
import { type JournalErrorListener, Recorder } from "./recorder.js";

export interface JournalOptions {
  /** Where the journal is kept: `fileJournal(backend)`, or `postgresJournal(…)` of `@fs/journal/postgres`. Never in the backend itself. */
  readonly store: JournalStore;
  /** What is kept of a file: its content too, or its hash alone: then nothing can be undone or blamed. Default `"full"`. */
  readonly content?: "full" | "hash";
  /** Patterns of files of which the hash alone is kept, such as `["*.pem", "/secrets/**"]`. Default: none. */
  readonly hashOnly?: string | readonly string[];
  /**
   * A command changes files that the journal does not see. `"opaque"` records the command and its exit code alone. `"scan"`
   * also compares the versions of all files before and after, and records those that differ, whoever changed them; it needs
   * versions. `"refuse"` takes `execute` away. Default `"opaque"`.
   */
  readonly execute?: "opaque" | "scan" | "refuse";
  /** Called with an error of the journal after a change had been made; use it for logging. */
  readonly onError?: JournalErrorListener;
}

/** A filesystem whose changes are recorded. */
export type Journalled = Filesystem & {
  /** What was recorded, and what can be done with it. */
  readonly journal: Journal;
};

/**
 * A backend whose changes are recorded: who, when, and each file before and after. A change that cannot be recorded is not
 * made: `unavailable`. Reads are passed on as they are.
 *
 * Throws a `ConfigurationError` for a journal that is kept in the backend itself, and a `TypeError` for wrong options.
 */
export function withJournal(backend: AnyBackendProtocol, options: JournalOptions): Journalled {
  checkedConfiguration("withJournal", options, {
    store: "object",
    content: ["full", "hash"],
    hashOnly: "any",
    execute: ["opaque", "refuse", "scan"],
    onError: "function",
  });
  const { store, content = "full", hashOnly, execute = "opaque", onError } = options;
  if (typeof store?.append !== "function") throw new TypeError("A journal needs a 'store'.");
  if (store.backend === backend)
    throw new ConfigurationError("A journal must not be kept in the backend that it records.");
  const files = fileAccess(backend);
  if (execute === "scan" && !files.guardedAt("/"))
    throw new TypeError("To scan what commands change, the backend must have versions.");
  const recorder = new Recorder(files, store, keeper(content, hashOnly), onError);
  const inner: MaybeSandbox = adaptBackendProtocol(backend);
  const calls = new Map<string, unknown>(
    Object.entries(journalledCalls(recorder, inner, execute === "scan")),
  );
  const wrapped = interceptBackend(
    backend,
    async ({ method, args, accesses }, proceed, refuse) => {
      const call = calls.get(method);
      if (typeof call !== "function") return proceed();
      try {
        return await Reflect.apply(call, undefined, args);
      } catch (error) {
        return refuse(failureFromThrown(error, accesses[0]?.path));
      }
    },
    execute === "refuse" ? ["execute"] : [],
  );
  return Object.defineProperty(wrapped, "journal", {
    value: new Journal(recorder),
  }) as Journalled;
}

/** Which files' contents are kept; all of them for `undefined`. */
function keeper(
  content: JournalOptions["content"],
  hashOnly: JournalOptions["hashOnly"],
): ((path: string) => boolean) | undefined {
  if (content === "hash") return () => false;
  if (hashOnly === undefined) return undefined;
  const isSecret = pathFilter(hashOnly);
  return (path) => !isSecret(path);
}
