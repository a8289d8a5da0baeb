import { MemoryBackend } from "@fs/protocol";
import { bytes } from "@fs/test-servers/contents";

export { bytes, contents, statuses } from "@fs/test-servers/contents";

/** A base with these files. */
export async function baseWith(files: Record<string, string>): Promise<MemoryBackend> {
  const base = new MemoryBackend();
  await base.uploadFiles(Object.entries(files).map(([path, text]) => [path, bytes(text)]));
  return base;
}
