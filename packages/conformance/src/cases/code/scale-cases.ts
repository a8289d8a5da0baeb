import type { CaseContext } from "../../engine/case-context.js";
import type { LsResult, ReadResult } from "@fs/protocol";
import { range } from "../../races/race.js";
import type { Case, Tier } from "../case.js";
import { hasFeature } from "./feature.js";

/** A directory of `count` files, seen whole by every listing, and gone whole. */
async function fullDirectory(context: CaseContext, count: number): Promise<void> {
  const { backend, check } = context;
  const width = String(count).length;
  const paths = range(count).map((n) => `/big/${String(n).padStart(width, "0")}.txt`);
  await context.given({
    ...Object.fromEntries(paths.map((path) => [path, "hit\n"])),
    "/other.txt": "hit\n",
  });
  check.equal(
    (await backend.ls("/big")).files?.map(({ path }) => path),
    paths,
    `ls of ${count} entries`,
  );
  const globbed = await backend.glob("big/*.txt");
  const grepped = await backend.grep("hit", "/big");
  for (const [what, { truncated }, found] of [
    ["glob", globbed, globbed.files],
    ["grep", grepped, grepped.matches],
  ] as const) {
    if (truncated === true)
      check.that((found?.length ?? 0) < count, `${what} says truncated, but it is complete.`, "A2");
    else
      check.equal(
        found?.map(({ path }) => path),
        paths,
        `${what} of ${count} files`,
      );
  }
  await largePages(context, paths);
  if (!context.profile.delete) return;
  check.succeeded(await backend.delete("/big"), `delete of ${count} files`);
  check.equal(
    (await backend.ls("/")).files?.map(({ path }) => path),
    ["/other.txt"],
    "What is left",
  );
}

/** L5: a page of almost everything, and one of half of it. */
async function largePages(context: CaseContext, paths: readonly string[]): Promise<void> {
  if (!hasFeature(context, "pages")) return;
  const { backend, check } = context;
  const middle = paths[Math.floor(paths.length / 2)] ?? "";
  for (const options of [{ limit: paths.length - 1 }, { limit: paths.length, after: middle }]) {
    const { after } = { after: "", ...options };
    const expected = paths.filter((path) => path > after).slice(0, options.limit);
    for (const [method, args] of [
      ["ls", ["/big", options]],
      ["glob", ["*", "/big", options]],
    ] as const) {
      const { files, truncated } = (await backend.call(method, args)) as LsResult;
      const what = `a page of ${options.limit} of ${paths.length} entries of ${method}`;
      check.equal(
        files?.map(({ path }) => path),
        expected,
        what,
        "L5",
      );
      check.equal(truncated === true, after === "", `'truncated' of ${what}`, "L5");
    }
  }
}

function directoryCase(count: number, tier: Tier): Case {
  return {
    id: `scale/directory-${count}`,
    rules: ["L1", "A2", "L3", "L5", "G1", "S1", "S3", "D1", "D2"],
    level: "core",
    needs: ["transfer"],
    tier,
    patience: count > 2000 ? 15 : 3,
    why: `A directory of ${count} files is listed, found, searched and removed completely, or says truncated.`,
    hint: "Storages list in pages of 100 or 1000: go on until the last page.",
    run: (context) => fullDirectory(context, count),
  };
}

async function largeFile(context: CaseContext): Promise<void> {
  const mebibytes = context.tier === "quick" ? 1 : 10;
  const size = Math.min(mebibytes * 1024 * 1024, context.profile.limits.fileBytes ?? Infinity);
  const bytes = new Uint8Array(size);
  // A pattern of a prime length, so that no block repeats the one before.
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + (at >> 8)) % 251;
  await context.given({ "/large.bin": bytes });
  await context.holds({ "/large.bin": bytes });
  const listed = (await context.backend.ls("/")).files?.[0];
  context.check.equal(listed?.size, size, "The listed size", "L2");
}

async function manyLines(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const lines = context.tier === "quick" ? 20_000 : 100_000;
  const text = range(lines)
    .map((n) => `line ${n + 1}\n`)
    .join("");
  await context.given({ "/lines.txt": text });
  for (const offset of [0, 1, 499, 500, lines / 2, lines - 1]) {
    const page: ReadResult = await backend.read("/lines.txt", offset, 2);
    const expected = range(Math.min(2, lines - offset))
      .map((n) => `line ${offset + n + 1}\n`)
      .join("");
    check.equal(page.content, expected, `Lines at offset ${offset} of ${lines}`, "R1");
  }
  check.failed(
    await backend.read("/lines.txt", lines, 1),
    "invalid_range",
    "read past the end",
    "R3",
  );
  const hit = await backend.grep(`line ${lines}`, "/lines.txt");
  check.equal(
    hit.matches?.map(({ line }) => line),
    [lines],
    "The line number of the last line",
    "S1",
  );
}

async function pagesReassemble(context: CaseContext): Promise<void> {
  const text =
    range(1234)
      .map((n) => (n % 7 === 0 ? "\r\n" : `é${n}\n`))
      .join("") + "end";
  await context.given({ "/a.txt": text });
  let joined = "";
  let offset: number | undefined = 0;
  for (let pages = 0; offset !== undefined && pages < 20; pages++) {
    const page: ReadResult = await context.backend.read("/a.txt", offset, 100);
    context.check.succeeded(page, `the page at offset ${offset}`);
    joined += String(page.content);
    offset = page.nextOffset ?? (pages < 12 ? offset + 100 : undefined);
  }
  context.check.equal(joined, text, "The pages in a row");
}

async function requestBudget(context: CaseContext): Promise<void> {
  const { backend, check, harness, instance } = context;
  const files = range(60).map((n) => [`/other/${n}/x.txt`, "x"] as const);
  await context.given({ ...Object.fromEntries(files), "/small/a.txt": "one\ntwo\n" });
  const spent = async (task: () => Promise<unknown>): Promise<number> => {
    const before = (await harness.meter?.(instance))?.requests ?? 0;
    await task();
    return ((await harness.meter?.(instance))?.requests ?? 0) - before;
  };
  const budgets: ReadonlyArray<readonly [string, number, () => Promise<unknown>]> = [
    ["ls of a small directory", 4, () => backend.ls("/small")],
    ["read of a page", 4, () => backend.read("/small/a.txt", 0, 1)],
    ["write of a new file", 8, () => backend.write("/small/b.txt", "x")],
    ["edit", 8, () => backend.edit("/small/a.txt", "one", "1")],
  ];
  for (const [what, budget, task] of budgets) {
    const requests = await spent(task);
    check.that(
      requests <= budget,
      `${what} made ${requests} requests, though ${budget} are enough: its cost must not grow with the rest of the storage.`,
    );
  }
}

/** Sizes at which pages, buffers and loops break. */
export const scaleCases: readonly Case[] = [
  directoryCase(101, "quick"),
  directoryCase(1001, "quick"),
  ...[99, 100, 999, 1000].map((count) => directoryCase(count, "full")),
  directoryCase(10_000, "full"),
  {
    id: "scale/large-file",
    rules: ["T1"],
    level: "core",
    needs: ["transfer", "content=bytes"],
    patience: 3,
    why: "A file of 1 MiB (10 MiB in the full tier) round-trips byte for byte.",
    run: largeFile,
  },
  {
    id: "scale/many-lines",
    rules: ["R1"],
    level: "core",
    needs: [],
    patience: 2,
    why: "Windows into a file of many lines are exact.",
    run: manyLines,
  },
  {
    id: "scale/pages-reassemble",
    rules: ["R1"],
    level: "core",
    needs: [],
    why: "Pages in a row concatenate to the file.",
    run: pagesReassemble,
  },
  {
    id: "scale/depth",
    rules: ["W2"],
    level: "core",
    needs: [],
    why: "50 directories within each other are no trouble.",
    run: async (context) => {
      const path = `${"/d".repeat(50)}/a.txt`;
      await context.given({ [path]: "deep" });
      context.check.equal(
        (await context.backend.glob("**/a.txt")).files?.map((file) => file.path),
        [path],
        "glob",
      );
      context.check.equal(
        (await context.backend.grep("deep")).matches?.map((match) => match.path),
        [path],
        "grep",
      );
      await context.holds({ [path]: "deep" });
    },
  },
  {
    id: "scale/over-limit",
    rules: ["W6"],
    level: "core",
    needs: ["limits.fileBytes"],
    why: "A file over the declared limit is too_large and nothing is stored; one at the limit works.",
    run: async (context) => {
      const limit = context.profile.limits.fileBytes ?? 0;
      const { backend, check } = context;
      check.failed(
        await backend.write("/over.txt", "x".repeat(limit + 1)),
        "too_large",
        "write over the limit",
      );
      check.succeeded(await backend.write("/at.txt", "x".repeat(limit)), "write at the limit");
      check.failed(
        await backend.edit("/at.txt", "x", "xx", true),
        "too_large",
        "edit over the limit",
      );
      await context.holds({ "/over.txt": null, "/at.txt": "x".repeat(limit) });
    },
  },
  {
    id: "scale/request-budget",
    rules: ["L1"],
    level: "core",
    needs: ["meter"],
    why: "The cost of a call follows its answer, not the size of the storage.",
    hint: "List with a prefix and a delimiter; never fetch what will not be shown.",
    run: requestBudget,
  },
];
