/** What a backend needs for {@link contents}. */
interface Readable {
  glob(pattern: string): Promise<{ readonly files?: ReadonlyArray<{ readonly path: string }> }>;
  downloadFiles(
    paths: string[],
  ): Promise<ReadonlyArray<{ readonly path: string; readonly content: Uint8Array | null }>>;
}

/** The UTF-8 bytes of a text. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The text of every file, by path. */
export async function contents(backend: Readable): Promise<Record<string, string>> {
  const { files = [] } = await backend.glob("**/*");
  const read = await backend.downloadFiles(files.map(({ path }) => path));
  return Object.fromEntries(
    read.map(({ path, content }) => [path, new TextDecoder().decode(content ?? undefined)]),
  );
}

/** What became of each path, by the report of a commit or an undo. */
export const statuses = (result: {
  readonly paths?: ReadonlyArray<{ readonly path: string; readonly status: string }>;
}): object => Object.fromEntries((result.paths ?? []).map(({ path, status }) => [path, status]));
