import type { Faults } from "./harness.js";
import { refuseNames } from "./refuse-names.js";

/** Every fault that a harness can cause. One that the type has and this list lacks does not compile. */
const FAULT_KINDS: Readonly<Record<keyof Faults, true>> = {
  cut: true,
  stall: true,
  loseAnswers: true,
  refuse: true,
  fill: true,
  readOnly: true,
};

/** Refuses a fault that the suite does not know: its cases would silently stay untested. Throws a `TypeError`. */
export function refuseUnknownFaults(faults: Faults): void {
  refuseNames("'faults'", Object.keys(faults), Object.keys(FAULT_KINDS));
}
