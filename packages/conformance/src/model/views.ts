import { linesOf } from "./text-rules.js";
import { contentOf, pageOf, textOf } from "../eyes/tree.js";
import type { GuardedBackend } from "../engine/guard.js";
import type { Walk } from "./walk.js";

/** Asserts that every way to look at the tree shows the model: readRaw, downloads, listings, glob and grep. */
export async function compareViews(
  { context, model, base }: Pick<Walk, "context" | "model" | "base">,
  backend: GuardedBackend = context.backend,
): Promise<void> {
  const { check } = context;
  const files = model.below(base);
  const globbed = await backend.glob("**", base);
  if (files.length === 0) {
    check.equal(globbed.files ?? [], [], "The files that glob finds in an empty tree", "D2");
    return;
  }
  check.equal(
    globbed.files?.map(({ path }) => path),
    files,
    "The files that glob finds in the end",
    "G1",
  );
  await context.holds(
    Object.fromEntries(files.map((path) => [path, model.files.get(path) ?? null])),
    backend,
  );
  check.equal(await walked(base), files, "The files found by listing every directory", "L1");
  const sizes = globbed.files?.map(
    ({ size }, index) => size ?? model.files.get(files[index] ?? "")?.length,
  );
  check.equal(
    sizes,
    files.map((path) => model.files.get(path)?.length),
    "The sizes that glob gives",
    "L2",
  );
  for (const path of files) {
    const bytes = model.files.get(path) ?? new Uint8Array();
    const { content } = await backend.read(path);
    check.equal(content, pageOf(path, bytes), `What read gives of ${JSON.stringify(path)}`, "R1");
  }
  const raw = files.at(-1) ?? "";
  const expected = model.files.get(raw) ?? new Uint8Array();
  const { data } = await backend.readRaw(raw);
  check.equal(
    data?.content,
    contentOf(raw, expected),
    `What readRaw gives of ${JSON.stringify(raw)}`,
    "R9",
  );
  const counts = (await backend.grep("a", base)).matches?.length;
  const hits = files.flatMap((path) =>
    linesOf(textOf(path, model.files.get(path) ?? new Uint8Array()) ?? ""),
  );
  check.equal(
    counts,
    hits.filter((line) => line.includes("a")).length,
    "The number of lines with 'a'",
    "S1",
  );

  async function walked(directory: string): Promise<string[]> {
    const { files: entries = [] } = await backend.ls(directory);
    const found: string[] = [];
    const real = context.profile.directories === "real";
    const listed = entries.filter(
      ({ path }) => !real || !path.endsWith("/") || model.isDirectory(path.slice(0, -1)),
    );
    check.equal(
      listed.map(({ path }) => path),
      model.children(directory),
      `What ls lists in ${JSON.stringify(directory)} in the end`,
      "D2",
    );
    for (const { path, size } of listed) {
      const bytes = model.files.get(path);
      if (bytes !== undefined)
        check.equal(size, bytes.length, `The size of ${JSON.stringify(path)} in ls`, "L2");
      if (path.endsWith("/")) found.push(...(await walked(path.slice(0, -1))));
      else found.push(path);
    }
    return found.toSorted((a, b) => (a < b ? -1 : 1));
  }
}
