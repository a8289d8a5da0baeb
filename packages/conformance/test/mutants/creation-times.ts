import type { BackendProtocolV2, MemoryBackend } from "@fs/protocol";

/** A `readRaw` in which files of some paths were created at other times. */
export function readRawWith(
  inner: Pick<MemoryBackend, "readRaw">,
  created: ReadonlyMap<string, string>,
): BackendProtocolV2["readRaw"] {
  return async (path, options) => {
    const answer = await inner.readRaw(path, options);
    const createdAt = created.get(path);
    if (answer.data === undefined || createdAt === undefined) return answer;
    return { ...answer, data: { ...answer.data, created_at: createdAt } };
  };
}
