import { KeyedQueue } from "@fs/protocol/async";
import type { HubRepository } from "./repository.js";
import type { Tree } from "./tree.js";

/**
 * The tree that is here, and how it is kept up. Pulls and commits take turns, so that the tree only ever moves forward.
 */
export class TreeCache {
  readonly #repository: HubRepository;
  readonly #lane = new KeyedQueue();
  #tree: Tree | undefined;
  /** True when a commit may have been made that the tree does not show. */
  #stale = false;
  #pull: SharedPull | undefined;

  constructor(repository: HubRepository) {
    this.#repository = repository;
  }

  /** The tree as it was no earlier than a moment of `performance.now()`; `-Infinity` accepts any that is known. */
  async tree(notBefore: number): Promise<Tree> {
    const known = this.#known(notBefore);
    if (known !== undefined) return known;
    const tree = await this.#sharedPull(notBefore).tree;
    return tree.asOf >= notBefore ? tree : this.tree(notBefore);
  }

  /** Runs a task while nothing else pulls or commits. */
  inTurn<T>(task: () => Promise<T>): Promise<T> {
    return this.#lane.run("", task);
  }

  /** As {@link tree}, for whoever has the turn. */
  async treeInTurn(notBefore: number): Promise<Tree> {
    const known = this.#known(notBefore);
    if (known !== undefined) return known;
    this.#tree = await this.#repository.pull(this.#tree);
    this.#stale = false;
    return this.#tree;
  }

  /** Takes over what a commit has made of the tree. */
  advance(tree: Tree): void {
    this.#tree = tree;
    this.#stale = tree.commit === undefined;
  }

  /** Has the next call pull, whatever it asks for. */
  distrust(): void {
    this.#stale = true;
  }

  #known(notBefore: number): Tree | undefined {
    if (this.#tree === undefined || this.#stale || this.#tree.asOf < notBefore) return undefined;
    return this.#tree;
  }

  /** One pull for all who wait for one, its failure included: a Hub that hangs is not asked by each of them in turn. */
  #sharedPull(notBefore: number): SharedPull {
    const waiting = this.#pull;
    if (waiting?.serves(notBefore) === true) return waiting;
    this.#pull = new SharedPull(notBefore, (pull) =>
      this.inTurn(async () => {
        pull.begin();
        try {
          return await this.treeInTurn(pull.notBefore);
        } finally {
          if (this.#pull === pull) this.#pull = undefined;
        }
      }),
    );
    return this.#pull;
  }
}

/** A pull that waits for its turn or is under way. */
class SharedPull {
  /** The most that somebody who waits for it asks for. */
  notBefore: number;
  readonly tree: Promise<Tree>;
  #begun: number | undefined;

  /** @param start Runs the pull when its turn has come. */
  constructor(notBefore: number, start: (pull: SharedPull) => Promise<Tree>) {
    this.notBefore = notBefore;
    this.tree = start(this);
  }

  begin(): void {
    this.#begun = performance.now();
  }

  /** Returns whether it is, or can still become, recent enough. */
  serves(notBefore: number): boolean {
    if (this.#begun !== undefined) return this.#begun >= notBefore;
    this.notBefore = Math.max(this.notBefore, notBefore);
    return true;
  }
}
