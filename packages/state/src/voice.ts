import { isShared, type Actor } from "./actor.js";
import { Journal } from "./journal.js";
import type { Outbox } from "./outbox.js";
import { isInterrupted } from "./running-graph.js";

/** One task among those that change the files of a superstep: where its changes are sent, and whether they still count. */
export class Voice {
  /** What the task whose superstep it is sends: its own, or those of the subagents that it runs. */
  readonly outbox: Outbox;
  /** For a task of a subagent. */
  readonly journal: Journal | undefined;
  readonly #actor: Actor;

  constructor(actor: Actor, outbox: Outbox) {
    this.#actor = actor;
    this.outbox = outbox;
    this.journal = isShared(actor) ? new Journal(actor) : undefined;
  }

  /** Returns whether a subagent's task will do its work again, because it was interrupted or is retried. */
  isLost(): boolean {
    if (this.journal === undefined) return false;
    return isInterrupted(this.#actor.task) || this.journal.isLost();
  }
}
