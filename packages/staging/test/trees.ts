import { MemoryBackend } from "@fs/protocol";
import type { StagingBackend } from "@fs/staging";

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A base with these files. */
export async function baseWith(files: Record<string, string>): Promise<MemoryBackend> {
  const base = new MemoryBackend();
  await base.uploadFiles(Object.entries(files).map(([path, text]) => [path, bytes(text)]));
  return base;
}

/** The text of every file. */
export async function contents(
  backend: MemoryBackend | StagingBackend,
): Promise<Record<string, string>> {
  const { files = [] } = await backend.glob("**/*");
  const read = await backend.downloadFiles(files.map(({ path }) => path));
  return Object.fromEntries(
    read.map(({ path, content }) => [path, new TextDecoder().decode(content ?? undefined)]),
  );
}

/** What became of each path. */
export const statuses = (result: {
  paths?: ReadonlyArray<{ path: string; status: string }>;
}): object => Object.fromEntries((result.paths ?? []).map(({ path, status }) => [path, status]));
