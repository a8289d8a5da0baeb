import type { MemoryBackend } from "@fs/protocol";
import { childEntries, type ListQuery, type VolumeEntry } from "@fs/protocol/author";
import { FlatVolume } from "./flat-volume.js";
import { faultyVolume, mutant, type Mutant, type Overrides } from "./mutant.js";

const encoder = new TextEncoder();

type Entries = ReadonlyArray<{ readonly path: string; readonly is_dir?: boolean }>;
interface Page {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** A backend whose `ls` cuts its own pages out of the whole listing. */
function ownPager(cut: (files: Entries, page: Page, inner: MemoryBackend) => unknown): Overrides {
  return (inner) => ({
    ls: async (path, options) => {
      const { limit, after, ...rest } = (options ?? {}) as Page;
      const isPage = Number.isSafeInteger(limit) && (limit ?? 0) > 0;
      if (!isPage || (after !== undefined && typeof after !== "string"))
        return inner.ls(path, options);
      const whole = await inner.ls(path, rest);
      if (whole.error !== undefined) return whole;
      return cut(whole.files, { limit, after }, inner) as never;
    },
  });
}

function pageOf(files: Entries, limit = files.length): object {
  const page = files.slice(0, limit);
  return files.length > limit
    ? { files: page, truncated: true, nextAfter: page.at(-1)?.path }
    : { files: page };
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A storage that folds the keys of each page into directories by itself. */
class FoldingVolume extends FlatVolume {
  override async *list(directory: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
    if (query.deep) return yield* super.list(directory, query);
    const below = this.below(directory);
    for (let at = 0; at < below.length; at += 250)
      yield* childEntries(directory, below.slice(at, at + 250));
  }
}

/** A mutant whose pages leave out some of what sorts behind the last entry. */
function bySiblings(
  name: string,
  bug: string,
  isLeftOut: (path: string, after: string) => boolean,
): Mutant {
  const behind = (files: Entries, after: string): Entries =>
    files.filter(({ path }) => path > after && !isLeftOut(path, after));
  const made = mutant(
    name,
    "L5",
    bug,
    ownPager((files, { limit, after }) =>
      pageOf(after === undefined ? files : behind(files, after), limit),
    ),
  );
  return { ...made, by: "path/pages-of-lookalike-siblings" };
}

/** What is answered in pages, or counted in them. */
export const PAGE_MUTANTS: readonly Mutant[] = [
  mutant(
    "page/ends-with-a-block",
    "R2",
    "A page that ends with a block of 4,096 bytes is taken for the last.",
    (inner) => ({
      read: async (path, offset = 0, ...rest) => {
        const page = await inner.read(path, offset, ...rest);
        if (typeof page.content !== "string" || page.nextOffset === undefined) return page;
        const before = offset > 0 ? (await inner.read(path, 0, offset)).content : "";
        const end = encoder.encode(`${String(before)}${page.content}`).length;
        if (end === 0 || end % 4096 !== 0) return page;
        const { nextOffset: _, ...last } = page;
        return last;
      },
    }),
  ),
  mutant(
    "page/newlines-for-lines",
    "R3",
    "The refusal of an offset past the end counts newlines.",
    (inner) => ({
      read: async (path, ...rest) => {
        const page = await inner.read(path, ...rest);
        if (page.code !== "invalid_range") return page;
        const { data } = await inner.readRaw(path);
        const newlines = String(data?.content).split("\n").length - 1;
        return { error: `'${path}' has ${newlines} lines.`, code: "invalid_range" };
      },
    }),
  ),
  mutant(
    "page/cut-in-byte-order",
    "L5",
    "Pages are cut in the order of bytes, and sorted by code unit afterwards.",
    ownPager((files, { limit, after }) => {
      const ordered = files.toSorted((a, b) => byBytes(a.path, b.path));
      const rest = ordered.filter(({ path }) => after === undefined || byBytes(path, after) > 0);
      const page = pageOf(rest, limit) as { files: Entries };
      return { ...page, files: page.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
    }),
  ),
  bySiblings(
    "page/skips-below-by-name",
    "A page goes on behind all that begins with the name of the last directory, so that siblings are left out.",
    (path, after) => after.endsWith("/") && path.startsWith(after.slice(0, -1)),
  ),
  bySiblings(
    "page/skips-what-begins-so",
    "A page goes on behind all that begins with the last entry.",
    (path, after) => path.startsWith(after),
  ),
  mutant(
    "page/directory-for-more",
    "L5",
    "A second key of the page's last directory is taken for another entry.",
    (inner) => ({
      ls: async (path, options) => {
        const page = await inner.ls(path, options);
        const { limit } = (options ?? {}) as Page;
        const last = page.files?.at(-1);
        if (page.error !== undefined || page.truncated === true || last?.is_dir !== true)
          return page;
        if (page.files.length !== limit) return page;
        const below = (await inner.glob("**", last.path)).files ?? [];
        return below.length < 2 ? page : { ...page, truncated: true, nextAfter: last.path };
      },
    }),
  ),
  mutant(
    "page/removed-take-places",
    "L5",
    "A page is cut before the marks of removed files are taken out.",
    (inner) => {
      const removed = new Set<string>();
      const cutting = ownPager((files, { limit, after }) => {
        const marks = [...removed].map((path) => ({ path, mark: true }));
        const parents = new Set(
          files.map(({ path }) => path.slice(0, path.lastIndexOf("/", path.length - 2))),
        );
        const near = marks.filter(({ path }) => parents.has(path.slice(0, path.lastIndexOf("/"))));
        const all = [...files, ...near].toSorted((a, b) => (a.path < b.path ? -1 : 1));
        const page = pageOf(
          all.filter(({ path }) => after === undefined || path > after),
          limit,
        ) as { files: Entries };
        return { ...page, files: page.files.filter((entry) => !("mark" in entry)) };
      });
      return {
        ...cutting(inner),
        delete: async (path, ...rest) => {
          const answer = await inner.delete(path, ...rest);
          if (answer.error === undefined) removed.add(path);
          return answer;
        },
      };
    },
  ),
  faultyVolume(
    "page/directory-on-each",
    "L1",
    "Directories are folded page by page of 250 keys, so that one is listed for each of its pages.",
    () => new FoldingVolume(),
  ),
  mutant(
    "page/first-of-a-pattern",
    "G1",
    "A pattern with ** looks through one page of a thousand keys.",
    (inner) => ({
      glob: async (pattern, ...rest) => {
        const found = await inner.glob(pattern, ...rest);
        if (found.files === undefined || !pattern.includes("**/")) return found;
        return { ...found, files: found.files.slice(0, 1000) };
      },
    }),
  ),
];
