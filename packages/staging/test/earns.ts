import type { Report } from "@fs/conformance";
import { expect } from "vitest";

/** Checks that a whole run earned these levels: those of the base. A run of some cases alone earns none. */
export function earns(...levels: ReadonlyArray<keyof Report["levels"]>): (report: Report) => void {
  return (report) => {
    if (report.partial || report.cases.some(({ status }) => status === "not-run")) return;
    const states = levels.map((level) => report.levels[level]);
    expect(states).toEqual(levels.map(() => "earned"));
  };
}
