import { gate } from "../gate.js";

/** The requests of the protocol that tests count and disturb. */
export type RequestKind = "settings" | "repo" | "create" | "pull" | "commit" | "history" | "other";

/** What happens to a request instead of its answer, or on the way to it. */
export type Fault =
  | { readonly status: number; readonly body?: string }
  /** The connection breaks before the request has any effect. */
  | { readonly drop: "before" }
  /** The request takes effect, and its answer is lost. */
  | { readonly drop: "after" }
  /** The request takes effect, and half of its answer arrives. */
  | { readonly drop: "half" }
  /** The request takes effect, and its answer never comes. */
  | { readonly hang: "after" }
  /** The request never takes effect, nor is there an answer. */
  | { readonly hang: "before" }
  /** The request waits before it takes effect. */
  | { readonly until: Promise<void>; readonly arrived: () => void };

/** A request that waits. */
export interface Held {
  readonly arrived: Promise<void>;
  release(): void;
}

/** The faults that requests are to meet. */
export class FaultBook {
  readonly #faults: Array<{ kind: RequestKind; fault: Fault }> = [];
  #lasting: ((kind: RequestKind) => Fault | undefined) | undefined;

  /** The next `times` requests of a kind meet this fault. */
  add(kind: RequestKind, fault: Fault, times = 1): void {
    for (let time = 0; time < times; time++) this.#faults.push({ kind, fault });
  }

  /** Makes the next request of a kind wait until it is released. */
  hold(kind: RequestKind): Held {
    const [here, go] = [gate(), gate()];
    this.add(kind, { until: go.opened, arrived: here.open });
    return { arrived: here.opened, release: go.open };
  }

  clear(): void {
    this.#faults.length = 0;
  }

  /** Every request meets what the plan answers for its kind, until the returned function is called. */
  during(plan: (kind: RequestKind) => Fault | undefined): () => void {
    this.#lasting = plan;
    return () => {
      this.#lasting = undefined;
    };
  }

  /** The fault that a request meets, which is then used up unless it lasts. */
  take(kind: RequestKind): Fault | undefined {
    const lasting = this.#lasting?.(kind);
    if (lasting !== undefined) return lasting;
    const at = this.#faults.findIndex((fault) => fault.kind === kind);
    return at === -1 ? undefined : this.#faults.splice(at, 1)[0]?.fault;
  }
}
