import { NotApplicable } from "../../engine/check-failure.js";
import type { CaseContext } from "../../engine/case-context.js";

/**
 * What of a list a file may hold here, by the bytes that each takes: by default its own number. Ends the case where that is
 * nothing: a case over no size would assert nothing.
 */
export function sizesWithin<T = number>(
  { profile }: CaseContext,
  all: readonly T[],
  bytesOf: (one: T) => number = Number,
): T[] {
  const { fileBytes = Infinity } = profile.limits;
  const kept = all.filter((one) => bytesOf(one) <= fileBytes);
  if (kept.length === 0) throw new NotApplicable(`a file may have ${fileBytes} bytes here`);
  return kept;
}
