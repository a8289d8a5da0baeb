import type { CaseContext } from "../engine/case-context.js";
import { hasFailed, type Answered } from "../engine/checker.js";

/** E7: an edit that meets others is made, or is a `conflict` where the profile allows that. Gives whether it was made. */
export function requireEdited(
  { check, profile }: CaseContext,
  answer: Answered,
  what: string,
): boolean {
  const isMade = !hasFailed(answer);
  if (isMade || profile.conflicts === "serialize") check.succeeded(answer, what, "E7");
  else check.failed(answer, "conflict", what, "E7");
  return isMade;
}
