import type { HeldLock } from "./lock-directory.js";
import { fateOf, type Owner } from "./owner.js";

/** Milliseconds that a lock holds whose owner cannot be judged. Its task is a few system calls. */
export const LEASE = 5000;

/**
 * What one waiting caller has seen of the locks in its way. Time is counted here, by this process's own steady clock from
 * the first look at a lock that has not changed since: so no step of a clock, and none that differs between machines that
 * share the folder, ends a lease early.
 */
export class Leases {
  readonly #seen = new Map<string, { readonly state: string; readonly since: number }>();

  /** True when a lock may be broken: its owner is certainly gone, or unknown and the lease over. */
  isOver(name: string, { owner, stats }: HeldLock, self: Owner): boolean {
    const fate = owner === undefined ? "unknown" : fateOf(owner, self);
    if (fate === "gone") return true;
    // Tasks are synchronous, so a lock of this very thread that is met here was left behind by a failed release.
    if (owner?.id === self.id) return true;
    if (fate === "alive") return false;
    const state = `${stats.dev}:${stats.ino}:${stats.mtimeNs}`;
    const seen = this.#seen.get(name);
    if (seen?.state !== state) {
      this.#seen.set(name, { state, since: performance.now() });
      return false;
    }
    return performance.now() - seen.since > LEASE;
  }
}
