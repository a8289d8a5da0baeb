import type { CaseContext } from "../../engine/case-context.js";
import type { ReadResult } from "@fs/protocol";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

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
