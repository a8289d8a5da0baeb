import type { MemoryBackend } from "@fs/protocol";

/** The paths of all files of a backend. */
export const saved = async (backend: MemoryBackend): Promise<string[]> =>
  ((await backend.glob("**/*", "/")).files ?? []).map((file) => file.path);
