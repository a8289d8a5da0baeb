import { type EditOperation, MemoryBackend, type MutationOptions } from "@fs/protocol";
import { bytesOfFileData } from "@fs/protocol/records";
import { present, refusal, textPart } from "../answer.js";
import type { ToolAnswer, ToolContext } from "../definition.js";
import { diffOf, textBefore } from "../output/edit-diff.js";

/**
 * What edits would do, and nothing done: they are applied to a copy in memory, so that a refusal is the one that the real
 * call would give.
 */
export async function tryEdit(
  path: string,
  edits: readonly EditOperation[],
  { ifVersion, ...options }: MutationOptions,
  { backend }: ToolContext,
): Promise<ToolAnswer> {
  // The version is read first: where the file changes in between, the answer names a version that is gone, and the edit is refused.
  const page = await backend.read(path, 0, 1, options);
  if (page.error !== undefined) return refusal(page, path);
  const version = page.version;
  if (ifVersion !== undefined && version !== ifVersion) {
    const error = `${path} has another version by now. Read it again.`;
    return refusal({ error, code: "conflict" }, path);
  }
  const raw = await backend.readRaw(path, options);
  if (raw.error !== undefined || raw.data === undefined) return refusal(raw, path);
  const copy = new MemoryBackend();
  await copy.uploadFiles([[path, bytesOfFileData(raw.data)]]);
  const before = await textBefore(copy, path, options);
  const tried = await copy.multiEdit(path, edits, options);
  if (tried.error !== undefined) return refusal(tried, path);
  const diff = await diffOf(path, before, edits);
  return {
    content: textPart(
      diff ?? `Would replace ${tried.occurrences} in ${path}; it is too long for a diff.`,
    ),
    structured: { path, ...present({ occurrences: tried.occurrences, diff, version }) },
  };
}
