import type { CaseContext } from "../../engine/case-context.js";
import { Untested } from "../../engine/check-failure.js";
import type { Faults } from "../../harness/harness.js";
import { refuseUnknownFaults } from "../../harness/known-faults.js";

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
