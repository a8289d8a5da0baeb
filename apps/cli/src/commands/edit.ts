import {
  type EditOperation,
  failure,
  type Filesystem,
  MemoryBackend,
  type MutationOptions,
} from "@fs/protocol";
import { answer } from "../answer.js";
import type { Context, Run } from "../context.js";
import { textOption } from "../numbers.js";
import { printable } from "../printable.js";

/** `edit`: replaces exact text, all or nothing. */
export const run: Run = async (context, [path = "", old = "", replacement = ""], options) => {
  const files = await context.files([path]);
  const all = options["all"] === true;
  const ifVersion = textOption(options, "ifVersion");
  const call = { signal: context.signal, ...(ifVersion === undefined ? {} : { ifVersion }) };
  if (options["dryRun"] === true)
    return tryEdit(context, files, path, { old, new: replacement, replaceAll: all }, ifVersion);
  const edited = await files.edit(path, old, replacement, all, call satisfies MutationOptions);
  return answer(context, edited, (result) => [
    `Edited ${printable(result.path ?? path)} (${result.occurrences} replaced)`,
  ]);
};

/** The edit of a copy in memory, so that a refusal is the one that the real edit would give. */
async function tryEdit(
  context: Context,
  files: Filesystem,
  path: string,
  edit: EditOperation,
  ifVersion: string | undefined,
): Promise<number> {
  const raw = await files.readRaw(path, { signal: context.signal });
  if (raw.error !== undefined) return answer(context, raw, () => []);
  const { content } = raw.data;
  const { version } = raw;
  if (ifVersion !== undefined && ifVersion !== version)
    return answer(
      context,
      failure(version === undefined ? "unsupported" : "conflict", path),
      () => [],
    );
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const copy = new MemoryBackend();
  await copy.uploadFiles([[path, bytes]]);
  const edited = await copy.edit(path, edit.old, edit.new, edit.replaceAll ?? false);
  if (edited.error !== undefined) return answer(context, edited, () => []);
  const after = await copy.readRaw(path);
  const { textPatch } = await import("@fs/changes");
  const [one, two] = [content, after.data?.content].map((text) =>
    typeof text === "string" ? text : "",
  );
  const diff = textPatch({ name: path, text: one ?? "" }, { name: path, text: two ?? "" });
  return answer(context, { path, occurrences: edited.occurrences, diff }, () =>
    diff === "" ? [] : [diff.trimEnd()],
  );
}
