import type { CaseContext } from "../../engine/case-context.js";
import { Eyes } from "../../eyes/eyes.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

const BATCH = 601;

async function largeBatch(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = range(BATCH).map((n) => `/batch/${String(n).padStart(3, "0")}.txt`);
  const stored = await backend.uploadFiles(
    paths.map((path, n) => [path, encoder.encode(`hit ${n}\n`)]),
  );
  check.equal(
    stored.filter(({ error }) => error !== null).length,
    0,
    `Failures of ${BATCH} uploads`,
    "T1",
  );
  check.equal(
    stored.map(({ path }) => path),
    paths,
    "The order of the answers",
    "T1",
  );
  const fetched = await backend.downloadFiles(paths);
  const wrong = fetched.findIndex(
    ({ content }, n) => new TextDecoder().decode(content ?? new Uint8Array()) !== `hit ${n}\n`,
  );
  check.equal(wrong, -1, "The first download that is not what was uploaded", "T1");
  const views = [
    ["ls", (await backend.ls("/batch")).files],
    ["glob", (await backend.glob("**/*.txt")).files],
    ["grep", (await backend.grep("hit")).matches],
  ] as const;
  for (const [view, found] of views)
    check.equal(
      found?.map(({ path }) => path),
      paths,
      `What ${view} shows of ${BATCH} files`,
      "L1",
    );
}

/** A directory of 30 files at three depths, of every kind of content. */
function treeOfThirty(text: boolean): Record<string, string | Uint8Array> {
  return Object.fromEntries(
    range(30).map((n) => {
      const path = `/from/${["", "sub/", "sub/deep/"][n % 3] ?? ""}${n % 7 === 0 ? "." : ""}f${n}.txt`;
      const bytes =
        n % 5 === 0 && !text ? Uint8Array.of(0, n, 255) : n % 6 === 1 ? "" : `file ${n}\r\n`;
      return [path, bytes];
    }),
  );
}

async function relocated(context: CaseContext, method: "move" | "copy" | "delete"): Promise<void> {
  const { backend, check, profile } = context;
  const files = treeOfThirty(profile.content === "text");
  await context.given({ ...files, "/fromage.txt": "stays\n" });
  const bytes = Object.entries(files).map(
    ([path, content]) =>
      [path, typeof content === "string" ? encoder.encode(content) : content] as const,
  );
  const after = new Map<string, Uint8Array>([["/fromage.txt", encoder.encode("stays\n")]]);
  if (method === "copy") for (const [path, content] of bytes) after.set(path, content);
  if (method !== "delete")
    for (const [path, content] of bytes) after.set(`/to/the/place${path.slice(5)}`, content);
  const eyes = new Eyes(context);
  await eyes.prime(new Map([...bytes, ["/fromage.txt", encoder.encode("stays\n")]]), after);
  const args = method === "delete" ? ["/from"] : ["/from", "/to/the/place"];
  check.succeeded(
    (await backend.call(method, args)) as { error?: unknown },
    `${method} of 30 files`,
  );
  await eyes.see(after, `after ${method} of a directory of 30 files`);
}

function treeCase(method: "move" | "copy" | "delete"): Case {
  return {
    id: `scale/${method}-thirty-files`,
    rules: [method === "delete" ? "D1" : "M1", "A7", "L2"],
    level: "core",
    needs: [method, "transfer"],
    patience: 2,
    why: `${method} of a directory takes every file of it: hidden, empty, binary and deep ones.`,
    hint: "Walk without the rules that agents see: no pattern, no cap, no page.",
    run: (context) => relocated(context, method),
  };
}

async function manyOccurrences(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const text = range(150)
    .map((n) => `${n} hit and hit\n`)
    .join("");
  await context.given({ "/a.txt": text, "/b.txt": text });
  const edited = await backend.edit("/a.txt", "hit", "$&miss", true);
  check.equal(edited.occurrences, 300, "'occurrences' of an edit of all", "E1");
  check.failed(await backend.edit("/b.txt", "hit", "x"), "not_unique", "edit of one of many", "E1");
  check.equal(
    (await backend.grep("hit", "/b.txt")).matches?.length,
    150,
    "The lines that grep finds",
    "S1",
  );
  await context.holds({ "/a.txt": text.replaceAll("hit", () => "$&miss"), "/b.txt": text });
}

/** E1: thousands of occurrences, and a line longer than any buffer. */
async function thousandsOfOccurrences(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const text = "ab,".repeat(6000);
  const line = `${"x".repeat(1_200_000)}needle\n`;
  await context.given({ "/a.txt": text, "/b.txt": line });
  const edited = await backend.edit("/a.txt", "b,", "b;\n", true);
  check.equal(edited.occurrences, 6000, "'occurrences' of an edit of all", "E1");
  await context.holds({ "/a.txt": "ab;\n".repeat(6000) });
  const found = (await backend.grep("needle", "/b.txt")).matches?.map((match) => match.text);
  check.equal(found, [line.trimEnd()], "A line of 1.2 million characters", "S1");
  check.equal((await backend.read("/b.txt")).content, line, "What read gives of it", "R1");
}

async function largeEdit(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const text = `${"é".repeat(40_000)}\n${range(70_000).map(String).join("\n")}\nthe end`;
  await context.given({ "/a.txt": text });
  check.succeeded(
    await backend.edit("/a.txt", "the end", "THE END\n"),
    "edit at the end of a large file",
  );
  check.succeeded(await backend.edit("/a.txt", "é\n0\n", "é\r\nzero\n"), "edit behind a long line");
  const after = text.replace("the end", "THE END\n").replace("é\n0\n", "é\r\nzero\n");
  await context.holds({ "/a.txt": after });
  const hit = (await backend.grep("THE END")).matches?.map(({ line }) => line);
  check.equal(hit, [70_002], "The line of the edit", "S1");
  check.equal(
    (await backend.read("/a.txt", 70_001, 5)).content,
    "THE END\n",
    "The last page",
    "R1",
  );
}

async function atTheLimit(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const limit = profile.limits.fileBytes ?? 0;
  const text = `${"x".repeat(limit - 4)}end\n`;
  await context.given({ "/a.txt": text });
  check.succeeded(
    await backend.edit("/a.txt", "end", "END"),
    "an edit that keeps a file at the limit",
    "W6",
  );
  check.failed(
    await backend.edit("/a.txt", "END", "ENDE"),
    "too_large",
    "an edit one byte over the limit",
    "W6",
  );
  check.failed(
    await backend.edit("/a.txt", "END", "ÉND"),
    "too_large",
    "an edit one byte over, by a character of two",
    "W6",
  );
  if (profile.multiEdit)
    check.failed(
      await backend.multiEdit("/a.txt", [
        { old: "END", new: "end" },
        { old: "end", new: "ende" },
      ]),
      "too_large",
      "a multiEdit one byte over the limit",
      "W6",
    );
  await context.holds({ "/a.txt": text.replace("end", "END") });
}

/** Values larger than what a first implementation is tried with. */
export const largeCases: readonly Case[] = [
  {
    id: "scale/batch-601",
    rules: ["T1", "L1", "G1", "S1"],
    level: "core",
    needs: ["transfer"],
    patience: 3,
    why: `A batch of ${BATCH} files is stored, fetched, listed and found whole, in order.`,
    hint: "Statements and requests have their own bounds: send large batches in several.",
    run: largeBatch,
  },
  treeCase("move"),
  treeCase("copy"),
  treeCase("delete"),
  {
    id: "scale/many-occurrences",
    rules: ["E1", "S1"],
    level: "core",
    needs: [],
    why: "300 occurrences on 150 lines are replaced, counted and found.",
    run: manyOccurrences,
  },
  {
    id: "scale/thousands-of-occurrences",
    rules: ["E1", "S1", "R1"],
    level: "core",
    needs: [],
    patience: 2,
    why: "6,000 occurrences on one line are replaced and counted, and a line of 1.2 million characters is found whole.",
    run: thousandsOfOccurrences,
  },
  {
    id: "scale/large-edit",
    rules: ["E1", "A7"],
    level: "core",
    needs: [],
    patience: 2,
    why: "Edits in a file of 500 kB and 70,000 lines, at its end and behind a line of 80 kB, change what they should and no more.",
    run: largeEdit,
  },
  {
    id: "scale/edit-at-limit",
    rules: ["W6"],
    level: "core",
    needs: ["limits.fileBytes"],
    why: "An edit that keeps a file at its limit works; one byte more is too_large, counted in bytes, and changes nothing.",
    run: atTheLimit,
  },
];
