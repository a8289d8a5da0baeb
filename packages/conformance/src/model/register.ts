import { editedText } from "./text-rules.js";

/** A file as concurrent histories know it: its text, or `undefined`. */
export type FileState = string | undefined;

/** A call of a concurrent history, on one path. */
export type FileOperation =
  | { readonly kind: "write"; readonly text: string }
  | { readonly kind: "upload"; readonly text: string }
  | { readonly kind: "edit"; readonly old: string; readonly to: string; readonly all: boolean }
  | { readonly kind: "delete" }
  | { readonly kind: "read" };

/** What it answered: the code of a failure (`"failed"` where there are no codes), or success with what was read. */
export type FileAnswer =
  | { readonly failed: string }
  | { readonly failed?: undefined; readonly content?: FileState };

/** Failures after which nobody knows whether the call took effect. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["unavailable", "timeout", "aborted"]);

/** The states that an answer allows, by the rules W1, E1, D1 and R5. */
export function stepFile(overwrites: boolean) {
  return (state: FileState, operation: FileOperation, answer: FileAnswer): readonly FileState[] => {
    const effect = effectOf(state, operation, overwrites);
    const { failed } = answer;
    if (failed === undefined) {
      if ("refusals" in effect) return [];
      return operation.kind === "read" && answer.content !== state ? [] : [effect.next];
    }
    if (AMBIGUOUS.has(failed)) return "refusals" in effect ? [state] : [state, effect.next];
    // A refusal because of a lost race is allowed to changes, and changes nothing.
    if (failed === "conflict" && operation.kind !== "read") return [state];
    if (!("refusals" in effect)) return [];
    return failed === "failed" || effect.refusals.includes(failed) ? [state] : [];
  };
}

function effectOf(
  state: FileState,
  operation: FileOperation,
  overwrites: boolean,
): { next: FileState } | { refusals: readonly string[] } {
  switch (operation.kind) {
    case "write":
      return state === undefined || overwrites
        ? { next: operation.text }
        : { refusals: ["already_exists"] };
    case "upload":
      return { next: operation.text };
    case "delete":
      return state === undefined ? { refusals: ["not_found"] } : { next: undefined };
    case "read":
      return state === undefined ? { refusals: ["not_found"] } : { next: state };
    case "edit": {
      if (state === undefined) return { refusals: ["not_found"] };
      const verdict = editedText(state, operation.old, operation.to, operation.all);
      return "code" in verdict ? { refusals: [verdict.code] } : { next: verdict.text };
    }
  }
}
