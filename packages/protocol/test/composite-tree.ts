import { CompositeBackend, type GrepResult, MemoryBackend } from "@fs/protocol";

/** Files in a default backend, below a route, and below a route of two segments; one is hidden by a route. */
export async function tree(): Promise<{
  all: CompositeBackend;
  main: MemoryBackend;
  memories: MemoryBackend;
  deep: MemoryBackend;
}> {
  const [main, memories, deep] = [new MemoryBackend(), new MemoryBackend(), new MemoryBackend()];
  const all = new CompositeBackend(main, { "/memories/": memories, "/a/b/": deep });
  await all.write("/main.md", "alpha\n");
  await all.write("/memories/one.md", "alpha\nbeta\n");
  await all.write("/memories/sub/two.md", "alpha\n");
  await all.write("/a/b/three.md", "alpha\n");
  await main.write("/memories/hidden.md", "alpha\n");
  return { all, main, memories, deep };
}

/** The paths of a listing. */
export const paths = (result: { files?: Array<{ path: string }> }): string[] | undefined =>
  result.files?.map(({ path }) => path);

/** The hits of a search, as `path:line`. */
export const hits = (result: GrepResult): string[] | undefined =>
  result.matches?.map(({ path, line }) => `${path}:${line}`);
