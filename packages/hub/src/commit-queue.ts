import { setImmediate as breath, setTimeout as delay } from "node:timers/promises";
import { CHANGE_GRACE_MS, isSignal, waitFor } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";
import { Draft } from "./draft.js";
import type { Intent } from "./intents.js";
import type { HubRepository } from "./repository.js";
import type { TreeCache } from "./tree-cache.js";
import { wasMade } from "./lost-answer.js";
import type { Changes, Files, Tree } from "./tree.js";
import { Waiter } from "./waiter.js";

export interface CommitQueueOptions {
  /** Milliseconds for which a first change waits for others to join its commit. */
  readonly coalesceMs: number;
  /** Conflicts in a row after which a change gives up. */
  readonly maxConflicts: number;
  /** Milliseconds that a change may take, with its wait for those before it. */
  readonly callTimeoutMs: number;
}

/** The Hub's limit of entries in one commit. */
const MAX_INTENTS = 500;

/** What became of one intent on a draft; its caller is told once the draft is stored. */
interface Attempt {
  readonly refused: boolean;
  readonly settle: () => void;
}

/** `overtaken`: somebody else committed first. An error: the Hub does not accept the content. */
type Stored = "stored" | "overtaken" | VolumeError;

/** Changes on their way to the Hub. The tree moves only once their commit is stored. */
export class CommitQueue {
  readonly #repository: HubRepository;
  readonly #cache: TreeCache;
  readonly #options: CommitQueueOptions;
  #pending: Waiter[] = [];
  #scheduled = false;

  constructor(repository: HubRepository, cache: TreeCache, options: CommitQueueOptions) {
    this.#repository = repository;
    this.#cache = cache;
    this.#options = options;
  }

  /**
   * Carries out an intent in the next commit. Settles once the change is stored, or sure not to be, or when its caller waits
   * no longer: then the error says whether the change may be stored.
   *
   * @throws `invalid_argument` for a signal that is none: nothing of it may fail once others share its commit.
   */
  async enqueue<T>(intent: Intent<T>, signal: AbortSignal | undefined): Promise<T> {
    if (signal !== undefined && !isSignal(signal))
      throw new VolumeError("invalid_argument", "'signal' must be an AbortSignal.");
    const waiter = new Waiter(intent);
    this.#pending.push(waiter as Waiter);
    this.#schedule();
    const wait = {
      signal,
      timeoutMs: this.#options.callTimeoutMs,
      get graceMs() {
        return waiter.sent ? CHANGE_GRACE_MS : 0;
      },
    };
    return waitFor(waiter.settled, wait, (why) => {
      // The caller is asked to look again: what it then sees must include the commit whose outcome it did not wait for.
      if (waiter.sent) this.#cache.distrust();
      return waiter.giveUp(why);
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    void this.#flush();
  }

  async #flush(): Promise<void> {
    await delay(this.#options.coalesceMs);
    try {
      // Before the turn, and with a breath after it: calls that had to look at the tree first, such as a move, issued
      // together with those that did not, still join.
      await this.#cache.tree(-Infinity);
      await breath();
    } catch (error) {
      for (const waiter of this.#takePending()) waiter.reject(error);
      return;
    }
    await this.#cache.inTurn(() => this.#commitPending());
  }

  #takePending(): readonly Waiter[] {
    this.#scheduled = false;
    const waiters = this.#pending.filter(({ wanted }) => wanted);
    this.#pending = [];
    return waiters;
  }

  async #commitPending(): Promise<void> {
    const waiters = this.#takePending();
    for (let from = 0; from < waiters.length; from += MAX_INTENTS) {
      await this.#commitOrSplit(waiters.slice(from, from + MAX_INTENTS));
    }
  }

  /** What the Hub does not accept fails alone: its neighbours are committed without it. */
  async #commitOrSplit(waiters: readonly Waiter[]): Promise<void> {
    try {
      const refused = await this.#commit(waiters);
      if (refused === undefined) return;
      if (waiters.length === 1) throw refused;
      const half = Math.ceil(waiters.length / 2);
      await this.#commitOrSplit(waiters.slice(0, half));
      await this.#commitOrSplit(waiters.slice(half));
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    }
  }

  /** Commits and settles. Gives the error when the Hub accepted nothing because of the content. */
  async #commit(waiters: readonly Waiter[]): Promise<VolumeError | undefined> {
    const began = performance.now();
    let notBefore = -Infinity;
    let begun = false;
    for (let conflicts = 0; conflicts <= this.#options.maxConflicts;) {
      const tree = await this.#cache.treeInTurn(notBefore);
      const draft = new Draft(tree.files);
      const wanted = waiters.filter((waiter) => waiter.wanted);
      if (wanted.length === 0) return undefined;
      const attempts = wanted.map((waiter) => attemptOn(draft, waiter));
      const changes = draft.changes();
      // Only a commit shows that the tree is the latest. What is refused, and what changes nothing, may be so on an old tree alone.
      if (tree.asOf < began && (changes.size === 0 || attempts.some(({ refused }) => refused))) {
        notBefore = began;
        continue;
      }
      if (tree.commit === undefined && changes.size > 0 && !begun) {
        begun = true;
        await this.#firstCommit();
        continue;
      }
      for (const waiter of wanted) waiter.send();
      const stored = await this.#store(tree, draft.files, changes);
      if (stored instanceof VolumeError) return stored;
      if (stored === "stored") {
        for (const { settle } of attempts) settle();
        return undefined;
      }
      conflicts++;
      notBefore = performance.now();
      if (conflicts > 1) await this.#repository.pause(Math.min(conflicts - 1, 3));
    }
    throw new VolumeError("conflict");
  }

  async #store(tree: Tree, files: Files, changes: Changes): Promise<Stored> {
    if (changes.size === 0) return "stored";
    const asOf = performance.now();
    const outcome = await this.#repository.push(changes, tree.commit);
    if (outcome.kind === "pushed") {
      // The Hub checked the parent, so the new commit is exactly the parent with these changes.
      this.#cache.advance({ files, commit: outcome.commit, asOf });
      // Without a parent it checked nothing.
      if (tree.commit === undefined) this.#cache.distrust();
      return "stored";
    }
    if (outcome.doubtful) {
      const lost = { before: tree, changes, error: outcome.error, open: outcome.open };
      if (await wasMade(lost, this.#repository, this.#cache)) return "stored";
    }
    if (outcome.kind === "conflict") return "overtaken";
    if (outcome.refused) return outcome.error;
    throw outcome.error;
  }

  /**
   * Makes an empty commit in a repository that has none. Without a parent the Hub checks nothing, and of two clients that
   * create the same file at once both would be answered that they did; every commit after an empty one has a parent. A
   * Hub that makes no empty commits leaves the repository as it is.
   */
  async #firstCommit(): Promise<void> {
    const outcome = await this.#repository.push(new Map(), undefined);
    this.#cache.distrust();
    if (outcome.kind === "failed" && !outcome.refused) throw outcome.error;
  }
}

function attemptOn(draft: Draft, waiter: Waiter): Attempt {
  try {
    const value = waiter.intent(draft);
    return { refused: false, settle: () => waiter.resolve(value) };
  } catch (reason) {
    return { refused: true, settle: () => waiter.reject(reason) };
  }
}
