import type { CaseContext } from "../../engine/case-context.js";
import type { Content } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import { countedSignal, requireNoneLeft } from "../../matrix/counted-signal.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

const FILES = 260;
/** Numbers of files at which pages, batches and workers' shares end. */
const CAPS = [1, 8, 10, 16, 20, 25, 32, 50, 64, 100, 128, 200, 250, 256, FILES - 1, FILES];

const numbered = (n: number): string => String(n).padStart(3, "0");

/** S7: what is cut off says so, wherever the last match lies among the files, and what is whole does not. */
async function cappedAnywhere(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = range(FILES).map((n) => `/d/${numbered(n)}.txt`);
  await context.given(Object.fromEntries(paths.map((path) => [path, "a needle\n"])));
  for (const cap of CAPS) {
    const { matches, truncated } = await backend.grep("needle", "/d", null, cap);
    const what = `of ${cap} matches at most, of ${FILES}`;
    check.equal(
      matches?.map(({ path }) => path),
      paths.slice(0, cap),
      `The paths ${what}`,
      "S7",
    );
    check.equal(truncated ?? false, cap < FILES, `'truncated' ${what}`, "S7");
  }
}

/** Names that are in one order by their characters, and in another one by their bytes, or by their letters. */
const ORDERED = ["/d/B.txt", "/d/a.txt", "/d/é.txt", "/d/😀.txt", "/d/～.txt", "/d/\uffee.txt"];

/** S3, S7: the matches that a cap leaves are the first ones in the order of a listing. */
async function cappedInOrder(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const text = "a needle\n".repeat(4);
  await context.given(Object.fromEntries(ORDERED.toReversed().map((path) => [path, text])));
  const all = sortedPaths(ORDERED).flatMap((path) => range(4).map((n) => [path, n + 1] as const));
  for (const cap of range(all.length)) {
    const { matches } = await backend.grep("needle", "/d", null, cap);
    const found = matches?.map(({ path, line }) => [path, line]);
    check.equal(found, all.slice(0, cap), `What is found of ${cap} matches at most`, "S3");
  }
}

/** Files in a row that are not searched: more than a page or a batch takes. */
const SKIPPED = 130;
const encoder = new TextEncoder();

/** S3, S7: files that are not searched hold no matches, take no place under a cap, and are not the end. */
async function beyondMedia(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const texts = range(3).map((n) => `/z${n}.txt`);
  const kinds: ReadonlyArray<readonly [end: string, content: Content]> = [
    // Text in it, though by its name it is none.
    [".png", encoder.encode("a needle\n")],
    [".txt", new Uint8Array([...encoder.encode("a needle\n"), 0])],
  ];
  for (const [n, [end, content]] of kinds.entries()) {
    const top = `/${n}`;
    const skipped = range(SKIPPED).map(
      (at) => [`${top}/d/${numbered(at)}${end}`, content] as const,
    );
    const found = texts.map((name) => top + name);
    await context.given({
      ...Object.fromEntries(skipped),
      ...Object.fromEntries(found.map((path) => [path, "a needle\n"])),
    });
    for (const cap of [undefined, 1, 2, 3, 4]) {
      const { matches, truncated } = await backend.grep("needle", top, null, cap);
      const what = `of ${cap ?? "all"} matches behind ${SKIPPED} files that are not searched`;
      check.equal(
        matches?.map(({ path }) => path),
        found.slice(0, cap),
        `The paths ${what}`,
        "S7",
      );
      check.equal(truncated ?? false, (cap ?? 3) < 3, `'truncated' ${what}`, "S7");
    }
  }
}

/** A8: what ends before all was looked at has done with the signal, as what looks at all has. */
async function noListeners(context: CaseContext): Promise<void> {
  const { backend } = context;
  const paths = range(20).map((n) => `/d/${numbered(n)}.txt`);
  await context.given(Object.fromEntries(paths.map((path) => [path, "a needle\nand a needle\n"])));
  const pages = hasFeature(context, "pages");
  type Look = readonly [what: string, look: (signal: AbortSignal) => Promise<unknown>];
  const looks: Look[] = [
    ["of one match", (signal) => backend.grep("needle", "/d", null, 1, { signal })],
    ["of some matches", (signal) => backend.grep("needle", "/", null, 5, { signal })],
    ["of no match", (signal) => backend.grep("needle", "/d", null, 0, { signal })],
    ["of a file's first match", (signal) => backend.grep("needle", paths[3], null, 1, { signal })],
    [
      "in any case, with lines around",
      (signal) => backend.grep("NEEDLE", "/d", null, 2, { signal, ignoreCase: true, after: 1 }),
    ],
    ...(pages
      ? ([
          ["by a page of ls", (signal) => backend.call("ls", ["/d", { limit: 2, signal }])],
          [
            "by a page of glob",
            (signal) => backend.call("glob", ["**", "/", { limit: 2, signal }]),
          ],
        ] as Look[])
      : []),
  ];
  for (const [what, look] of looks) {
    const counted = countedSignal();
    await look(counted.signal);
    await requireNoneLeft(context, counted, `after a search or a listing ${what}`);
  }
}

/** Searches of many files that are cut off, or that have to go far for a match. */
export const cappedSearchCases: readonly Case[] = [
  {
    id: "scale/capped-among-260-files",
    rules: ["S7", "S3"],
    level: "core",
    needs: ["transfer"],
    patience: 2,
    why: "A search that is cut off after any number of matches gives the first ones, and says that there are more.",
    hint: "Look for one match more than is asked for, also where the last one ends a page or a batch of files.",
    run: cappedAnywhere,
  },
  {
    id: "grep/capped-in-order",
    rules: ["S3", "S7"],
    level: "core",
    needs: ["transfer", "names.caseSensitive"],
    why: "A search that is cut off gives the first matches in the order of paths, whatever their characters.",
    hint: "The order of UTF-8 is not that of UTF-16: sort before you cut, or cut in the order of the answer.",
    run: cappedInOrder,
  },
  {
    id: "guard/cut-off-leaves-no-listeners",
    rules: ["A8"],
    level: "core",
    needs: ["signals"],
    why: "A search that has all its matches, or a page that is full, keeps no listener on its signal.",
    hint: "Remove the listener in a 'finally': who stops reading an iterator early ends it there.",
    run: noListeners,
  },
  {
    id: "grep/beyond-many-media",
    rules: ["S3", "S7"],
    level: "core",
    needs: ["transfer", "content=bytes"],
    patience: 2,
    why: "Files that are not searched count for nothing: not as matches under a cap, and not as the end of the files.",
    hint: "Sort out what is not searched before matches are counted; a page without a text is a page.",
    run: beyondMedia,
  },
];
