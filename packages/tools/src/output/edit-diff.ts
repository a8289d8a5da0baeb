import type { Filesystem, CallOptions, EditOperation } from "@fs/protocol";
import { applyEdits } from "@fs/protocol/hooks";

/** Characters of a file above which no diff is made. */
const MAX_DIFFED = 1_000_000;
/** Lines removed and added above which no diff is made: its time and memory grow with their square. */
const MAX_DIFFERENT_LINES = 1_000;

/** The text of a file before an edit, for its diff; `undefined` where there is none to show. */
export async function textBefore(
  backend: Filesystem,
  path: string,
  options: CallOptions,
): Promise<string | undefined> {
  const { data } = await backend.readRaw(path, options);
  if (data === undefined) return undefined;
  const content = Array.isArray(data.content) ? data.content.join("\n") : data.content;
  return typeof content === "string" && content.length <= MAX_DIFFED ? content : undefined;
}

/**
 * The unified diff of edits on a text. It shows what this call changed, also when others changed the file meanwhile.
 * `undefined` when the edits no longer applied to that text, and when they change too many lines.
 */
export async function diffOf(
  path: string,
  before: string | undefined,
  edits: readonly EditOperation[],
): Promise<string | undefined> {
  if (before === undefined) return undefined;
  const outcome = applyEdits(
    before,
    edits.map((edit) => ({ ...edit, replaceAll: edit.replaceAll ?? false })),
  );
  if (outcome.refusal !== undefined) return undefined;
  // An agent that only reads need not load it.
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(path, path, before, outcome.text, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_DIFFERENT_LINES,
  });
}
