import { blobStore, type Change, changeSet, type PathReport, sideOf } from "@fs/changes";
import { MemoryBackend } from "@fs/protocol";

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export async function setUp(files: Record<string, string>, after: Record<string, string | null>) {
  const base = new MemoryBackend();
  const kept = new MemoryBackend();
  const blobs = blobStore(kept);
  const stored = await base.uploadFiles(
    Object.entries(files).map(([path, text]) => [path, bytes(text)]),
  );
  const before = new Map(
    stored.map(({ path, version }) => [path, sideOf(bytes(files[path] ?? ""), version)]),
  );
  await blobs.put(
    [...Object.values(files), ...Object.values(after)].flatMap((text) =>
      text === null ? [] : [bytes(text)],
    ),
  );
  const changes = Object.entries(after).map(([path, text]): Change => ({
    path,
    before: before.get(path) ?? null,
    after: text === null ? null : sideOf(bytes(text)),
  }));
  return { base, kept, blobs, set: changeSet(changes) };
}

export const textOf = async (backend: MemoryBackend, path: string): Promise<unknown> =>
  (await backend.read(path)).content;

export const statuses = (paths: readonly PathReport[]): object =>
  Object.fromEntries(paths.map(({ path, status }) => [path, status]));
