/** What a sentence says of a change whose outcome is not known. */
const UNSETTLED = /\b(?:may|might|could(?! not)|whether|not known|unknown|under way)\b/i;

/** Milliseconds in which a change that goes on, as its answer says, comes to its end. */
export const SETTLING_MS = 1500;

/** Whether an error says that the outcome of its call is not known (A7). */
export function saysUnsettled(error: unknown): boolean {
  return UNSETTLED.test(String(error));
}
