import type { Operation } from "./operations.js";
import { editedText, textOfBytes } from "./text-rules.js";
import { cutFrom, growsTooLong, isOpen, pathOf, type Walk } from "./walk.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** E8: two edits in a row, both or none. */
export async function multiEdit(
  walk: Walk,
  { target, cut, to, all, second }: Operation & { kind: "multiEdit" },
): Promise<void> {
  const path = pathOf(walk, target);
  const { context, model } = walk;
  const bytes = model.files.get(path);
  const text = bytes === undefined ? undefined : textOfBytes(bytes);
  if (!context.profile.multiEdit || text === undefined || isOpen(walk, path)) return;
  const old = cutFrom(text, cut, "");
  if (!old.isWellFormed() || !to.isWellFormed()) return;
  const first = editedText(text, old, to, all);
  const next = cutFrom("code" in first ? text : first.text, second, "");
  if (!next.isWellFormed()) return;
  const both = "code" in first ? first : editedText(first.text, next, "<2>", true);
  if (growsTooLong(walk, first) || growsTooLong(walk, both)) return;
  const result = await context.backend.multiEdit(path, [
    { old, new: to, replaceAll: all },
    { old: next, new: "<2>", replaceAll: true },
  ]);
  if ("code" in both || "code" in first) {
    const code = "code" in first ? first.code : "code" in both ? both.code : "no_match";
    context.check.failed(result, code, "multiEdit", "E8");
    return;
  }
  context.check.succeeded(result, "multiEdit", "E8");
  const occurrences = first.occurrences + both.occurrences;
  context.check.equal(result.occurrences, occurrences, "'occurrences' of multiEdit", "E8");
  model.put(path, encoder.encode(both.text));
}

/** W5: a write or a removal at the version that is there, or at one that was. */
export async function versioned(
  walk: Walk,
  { target, content, stale, removes }: Operation & { kind: "versioned" },
): Promise<void> {
  const path = pathOf(walk, target);
  const { context, model } = walk;
  const { backend, check, profile } = context;
  if (!profile.versions || !profile.transfer || !model.isFile(path) || isOpen(walk, path)) return;
  const { version } = await backend.read(path);
  if (version === undefined) return;
  if (stale) {
    const held = decoder.decode(model.files.get(path));
    // F2: the same content may be the same version.
    const other = encoder.encode(`${content}${held.endsWith("changed") ? "again" : "changed"}`);
    await backend.uploadFiles([[path, other]]);
    model.put(path, other);
  }
  const options = { ifVersion: version };
  const isRemoval = removes && profile.delete;
  const result = isRemoval
    ? await backend.delete(path, options)
    : await backend.write(path, content, options);
  const what = `${isRemoval ? "delete" : "write"} at ${stale ? "an old" : "the"} version`;
  if (stale) check.failed(result, "conflict", what, "W5");
  else check.succeeded(result, what, "W5");
  if (stale) return;
  if (isRemoval) model.remove(path);
  else model.put(path, encoder.encode(content));
}

/** T1: several files at once, none of them above or below another. */
export async function batch(
  walk: Walk,
  { targets, content }: Operation & { kind: "batch" },
): Promise<void> {
  const { context, model } = walk;
  if (!context.profile.transfer) return;
  const paths = [...new Set(targets.map((target) => pathOf(walk, target)))].filter(
    (path) => !isOpen(walk, path) && model.collision(path) === undefined,
  );
  const apart = paths.filter(
    (path) => !paths.some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`)),
  );
  if (apart.length === 0 || context.profile.collisions === "allowed") return;
  const files = apart.map((path, n): [string, Uint8Array] => [
    path,
    encoder.encode(`${content}${n}`),
  ]);
  const stored = await context.backend.uploadFiles(files);
  const failed = stored.filter(({ error }) => error !== null);
  context.check.equal(failed, [], "The failures of a batch", "T1");
  for (const [path, bytes] of files) model.put(path, bytes);
}
