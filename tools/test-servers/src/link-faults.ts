import type { FaultyLink } from "./faulty-link.js";

/** Begins a fault, and answers what ends it. */
type Fault = () => Promise<() => Promise<void>>;

/** The faults of a link, as `faults` of a conformance harness has them. */
export function linkFaults(
  link: FaultyLink,
): Readonly<Record<"cut" | "stall" | "loseAnswers", Fault>> {
  const during =
    (begin: () => Promise<void> | void): Fault =>
    async () => {
      await begin();
      return () => link.heal();
    };
  return {
    cut: during(() => link.refuse()),
    stall: during(() => link.stall()),
    loseAnswers: during(() => link.loseAnswers()),
  };
}
