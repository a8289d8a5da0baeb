import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { Untested } from "../../engine/check-failure.js";
import { hasFailed } from "../../engine/checker.js";
import type { Faults } from "../../harness/harness.js";
import { refuseUnknownFaults } from "../../harness/known-faults.js";
import { range } from "../../races/race.js";

/** What a call may answer while the storage is away. Nothing that claims to know what is there. */
export const AWAY = ["unavailable", "timeout", "aborted", "conflict"];

/** Looks at once, and how often they are tried, until a storage that was cut off under way is taken for one that is back. */
const LOOKS = 5;
const ATTEMPTS = 40;
const PAUSE_MS = 25;

/**
 * Begins a fault, and answers what ends it. A harness that cannot cause it leaves the case untested. The fault ends with the
 * case at the latest: one that went on would fail every case after it.
 */
export async function beginning(
  context: CaseContext,
  kind: keyof Faults,
): Promise<() => Promise<void>> {
  const faults = context.harness.faults?.(context.instance);
  if (faults === undefined) throw new Untested("the harness has no 'faults'");
  refuseUnknownFaults(faults);
  const fault = faults[kind];
  if (fault === undefined) throw new Untested(`the harness's 'faults' have no '${kind}'`);
  const end = await fault.call(faults);
  let healing: Promise<void> | undefined;
  const heal = (): Promise<void> => (healing ??= (async () => end())());
  context.onClose(heal);
  return heal;
}

/**
 * Waits until a storage that was cut off in the middle of calls answers again. A client may find out only by a call that a
 * connection of its pool is gone: that call is `unavailable`, and nothing is wrong with it.
 */
export async function untilBack({ backend, signal }: CaseContext): Promise<void> {
  for (const _ of range(ATTEMPTS)) {
    const looks = await Promise.all(range(LOOKS).map(() => backend.ls("/")));
    if (signal.aborted || !looks.some(hasFailed)) return;
    await delay(PAUSE_MS);
  }
}

/** Waits for an answer, and ends the fault whatever it is. */
export async function during<T>(heal: () => Promise<void>, pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } finally {
    await heal();
  }
}
