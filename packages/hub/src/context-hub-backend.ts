import {
  checkedConfiguration,
  failureFromThrown,
  guardListener,
  type Volume,
  VolumeBackend,
  type VolumeBackendOptions,
  VolumeError,
} from "@fs/protocol/author";
import type { Failure, Outcome } from "@fs/protocol";
import { waitFor } from "@fs/protocol/async";
import { Client } from "langsmith";
import { CommitQueue } from "./commit-queue.js";
import { notWaited, treeWithin, volumeOf } from "./hub-volume.js";
import { parseIdentifier, type HubTarget } from "./identifier.js";
import { type OwnOptions, ownOptions } from "./own-options.js";
import type { Tree } from "./tree.js";
import { TreeCache } from "./tree-cache.js";
import { MAX_TIMER_MS } from "./within-time.js";
import { type HubCommit, HubRepository, type RetryOptions } from "./repository.js";

export interface ContextHubBackendOptions extends Pick<
  VolumeBackendOptions,
  "writeMode" | "maxFileBytes" | "onError"
> {
  /** A client of your own. Default: one made from the environment (`LANGSMITH_API_KEY`, `LANGSMITH_ENDPOINT`). */
  client?: Client;
  /** Milliseconds that one request may take before it counts as lost, and is repeated. Default 30,000. */
  requestTimeoutMs?: number;
  /**
   * Milliseconds that a read or a change may take with all its requests, and with its wait for those before it. After them
   * a read is `timeout`, and a change `timeout` if it was not sent, else `unavailable`, which may or may not be stored.
   * Default 120,000.
   */
  callTimeoutMs?: number;
  /** What the repository is. Default `"agent"`. */
  kind?: "agent" | "skill";
  /** Milliseconds for which a first change waits for others to join its commit. Default 50. */
  coalesceMs?: number;
  /** Milliseconds after which a read pulls again. Default `Infinity`: reads never do; see {@link ContextHubBackend.refresh}. */
  maxAgeMs?: number;
  /** Conflicts in a row after which a change answers `conflict`. Default 20. */
  maxConflicts?: number;
  /** How a request that the Hub did not answer, or answered with 429 or 5xx, is repeated. */
  retry?: RetryOptions;
}

const CALL_TIMEOUT_MS = 120_000;

const KINDS = {
  client: "object",
  requestTimeoutMs: "milliseconds",
  callTimeoutMs: "milliseconds",
  kind: ["agent", "skill"],
  coalesceMs: "milliseconds",
  maxAgeMs: "milliseconds",
  maxConflicts: "count",
  retry: "object",
  writeMode: ["create", "overwrite"],
  maxFileBytes: "count",
  onError: "function",
} as const;

/** What a repository of files is made of. */
interface HubParts {
  readonly client: Client;
  readonly target: HubTarget;
  readonly repository: HubRepository;
  readonly cache: TreeCache;
  readonly volume: Volume;
}

function hubParts(identifier: string, options: ContextHubBackendOptions): HubParts {
  checkedConfiguration("ContextHubBackend", options, KINDS);
  const {
    kind = "agent",
    retry = {},
    requestTimeoutMs = 30_000,
    callTimeoutMs = CALL_TIMEOUT_MS,
  } = options;
  checkedConfiguration("'retry' of ContextHubBackend", retry, {
    attempts: "positive",
    firstDelayMs: "milliseconds",
  });
  const target = parseIdentifier(identifier);
  const client =
    options.client ?? new Client({ timeout_ms: Math.min(requestTimeoutMs, MAX_TIMER_MS) });
  const repository = new HubRepository(client, target, kind, retry, requestTimeoutMs);
  const cache = new TreeCache(repository);
  const queue = new CommitQueue(repository, cache, {
    coalesceMs: options.coalesceMs ?? 50,
    maxConflicts: options.maxConflicts ?? 20,
    callTimeoutMs,
  });
  const volume = volumeOf(cache, queue, {
    maxAgeMs: options.maxAgeMs ?? Infinity,
    callTimeoutMs,
    readOnly: target.version !== undefined,
  });
  return { client, target, repository, cache, volume };
}

/**
 * A repository of the Hub as a volume, for a backend of one's own.
 *
 * @param identifier As for {@link ContextHubBackend}.
 * @throws {TypeError} When the identifier or an option is malformed.
 */
export function hubVolume(identifier: string, options: ContextHubBackendOptions = {}): Volume {
  return hubParts(identifier, options).volume;
}

/** The result of {@link ContextHubBackend.refresh}. */
export type RefreshResult = Outcome<{
  /** The latest commit; `null` while the repository has none. */
  commit: string | null;
}>;

/** The result of {@link ContextHubBackend.history}. */
export type HistoryResult = Outcome<{
  /** Newest first. */
  commits: HubCommit[];
}>;

/**
 * Files in a repository of the LangSmith Hub: every change is a commit, checked against the commit that it was made on.
 *
 * The tree is pulled at the first use and then kept: reads cost no requests. Changes issued together become one commit, and
 * each settles once that commit is stored. After a conflict the tree is pulled and every change tried anew.
 *
 * @example
 * const hub = new ContextHubBackend("my-agent");
 * await hub.write("/memories/style.md", "Be brief.\n");
 */
export class ContextHubBackend extends VolumeBackend {
  readonly #cache: TreeCache;
  readonly #repository: HubRepository;
  readonly #target: HubTarget;
  readonly #options: ContextHubBackendOptions & { client: Client };

  /**
   * @param identifier `name` in the workspace of the key, or `owner/name`. With `:commit` (a hash or a tag) that commit is
   * read, and nothing can be changed.
   * @throws {TypeError} When the identifier or an option is malformed.
   */
  constructor(identifier: string, options: ContextHubBackendOptions = {}) {
    const parts = hubParts(identifier, options);
    super(parts.volume, options);
    this.#cache = parts.cache;
    this.#repository = parts.repository;
    this.#target = parts.target;
    this.#options = { ...options, client: parts.client };
  }

  /**
   * Pulls now, so that reads show what others have committed.
   *
   * @param options.signal Ends the wait with `aborted`.
   */
  async refresh(options?: { signal?: AbortSignal } | null): Promise<RefreshResult> {
    return this.#attempt("refresh", ["signal"], options, async () => {
      const { commit } = await this.#cache.tree(performance.now());
      return { commit: commit ?? null };
    });
  }

  /**
   * The latest commits of the repository, newest first.
   *
   * @param options.limit Default 100.
   * @param options.signal Ends the wait with `aborted`.
   */
  async history(options?: { limit?: number; signal?: AbortSignal } | null): Promise<HistoryResult> {
    return this.#attempt("history", ["limit", "signal"], options, async ({ limit = 100 }) => ({
      commits: await this.#repository.commits(limit),
    }));
  }

  /**
   * The files as they were at a commit, or at a tag such as `production`: a backend of its own that cannot be written to.
   *
   * @throws {TypeError} When the version is malformed, or `latest`, which is the repository itself and no version of it.
   */
  at(version: string): ContextHubBackend {
    if (version === "latest")
      throw new TypeError("'latest' is this backend itself. Name a commit or a tag to read it.");
    return new ContextHubBackend(`${this.#target.repository}:${version}`, this.#options);
  }

  /**
   * The paths that link another repository, with that repository's handle. They are listed, readable as JSON, and can only
   * be changed where they lead to. Rejects when the repository cannot be pulled.
   */
  async getLinkedEntries(): Promise<Record<string, string>> {
    const { files } = await this.#known();
    const linked = [...files].flatMap(([path, { link }]) =>
      link === undefined ? [] : [[path.slice(1), link.repo_handle] as const],
    );
    return Object.fromEntries(linked);
  }

  /** Returns whether the repository exists with a commit. Rejects when it cannot be pulled. */
  async hasPriorCommits(): Promise<boolean> {
    return (await this.#known()).commit !== undefined;
  }

  #known(): Promise<Tree> {
    const { callTimeoutMs: timeoutMs = CALL_TIMEOUT_MS } = this.#options;
    return treeWithin(this.#cache, -Infinity, { timeoutMs });
  }

  async #attempt<T extends object, K extends keyof OwnOptions>(
    operation: string,
    known: ReadonlyArray<K | "signal">,
    options: Pick<OwnOptions, K | "signal"> | null | undefined,
    task: (options: Pick<OwnOptions, K | "signal">) => Promise<T>,
  ): Promise<T | Failure> {
    const { callTimeoutMs: timeoutMs = CALL_TIMEOUT_MS } = this.#options;
    try {
      const own = ownOptions(operation, known, options);
      return await waitFor(task(own), { signal: own.signal, timeoutMs }, notWaited);
    } catch (error) {
      // As of every call: an error without a cause is an answer, not an incident.
      if (!VolumeError.isInstance(error) || error.cause !== undefined)
        guardListener(() => this.#options.onError?.(error, { operation, path: "/" }));
      return failureFromThrown(error, "/");
    }
  }
}
