import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

const LINES = 34_000;
const EDITS = 120;
/** Bytes that an edit of the large text adds. */
const EDITED = 100_100;

function line(n: number): string {
  return `line ${n} ${"é".repeat(28)}\n`;
}

/** A text of about 2.2 MiB: more than what careful people cap. */
async function largeText(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const text = `${range(LINES).map(line).join("")}the end`;
  const { fileBytes = Infinity } = profile.limits;
  if (encoder.encode(text).length + EDITED > fileBytes)
    throw new NotApplicable(`a file may have ${fileBytes} bytes here`);
  await context.given({ "/a.txt": text });
  check.equal((await backend.readRaw("/a.txt")).data?.content, text, "What readRaw gives", "R9");
  const whole = await backend.read("/a.txt", 0, LINES + 10);
  check.equal(whole.content, text, "What read gives of all lines at once", "R1");
  const page = await backend.read("/a.txt", 1, 12_000);
  const expected = range(12_000).map((n) => line(n + 1));
  check.equal(page.content, expected.join(""), "What read gives of 12,000 lines", "R1");
  const all = await backend.grep("line", "/");
  check.equal(
    [all.matches?.length, all.truncated ?? false],
    [LINES, false],
    "The number of lines that grep finds, and whether there are more",
    "S1",
  );
  const last = (await backend.grep("the end")).matches?.map((match) => match.line);
  check.equal(last, [LINES + 1], "The line at the end", "S1");
  const edited = await backend.edit("/a.txt", "the end", `${"long ".repeat(20_000)}\n`);
  check.succeeded(edited, "edit at the end", "E1");
  const after = text.replace("the end", `${"long ".repeat(20_000)}\n`);
  const middle = range(2000).map((n) => line(n + 9000));
  check.succeeded(
    await backend.edit("/a.txt", middle.join(""), "short\n"),
    "edit that replaces 120 kB",
    "E1",
  );
  const end = after.replace(middle.join(""), "short\n");
  await context.holds({ "/a.txt": end });
  if (profile.copy) check.succeeded(await backend.copy("/a.txt", "/b.txt"), "copy", "M1");
  if (profile.move) check.succeeded(await backend.move("/a.txt", "/c.txt"), "move", "M1");
  await context.holds({
    [profile.move ? "/c.txt" : "/a.txt"]: end,
    ...(profile.copy ? { "/b.txt": end } : {}),
  });
}

/** E8: as many edits as anybody makes, each on the result of the one before. */
async function manyEdits(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const text = range(EDITS)
    .map((n) => `<${n}>\n`)
    .join("");
  await context.given({ "/a.txt": text, "/b.txt": "0" });
  const apart = range(EDITS).map((n) => ({ old: `<${n}>`, new: `[${n}]` }));
  check.equal(
    (await backend.multiEdit("/a.txt", apart)).occurrences,
    EDITS,
    `'occurrences' of ${EDITS} edits`,
    "E8",
  );
  const chain = range(EDITS).map((n) => ({ old: `${n}`, new: `${n + 1}` }));
  check.succeeded(await backend.multiEdit("/b.txt", chain), `${EDITS} edits in a chain`, "E8");
  check.failed(
    await backend.multiEdit("/a.txt", [
      ...range(EDITS).map((n) => ({ old: `[${n}]`, new: "x" })),
      { old: "none", new: "" },
    ]),
    "no_match",
    `${EDITS} edits and one that does not match`,
    "E8",
  );
  await context.holds({
    "/a.txt": text.replaceAll("<", "[").replaceAll(">", "]"),
    "/b.txt": `${EDITS}`,
  });
}

/** M1: a name that comes again further down is part of the path, and not of what moves. */
async function repeatedNames(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const deep = `${"/a".repeat(14)}/a.txt`;
  const files = { [`/a${deep}`]: "deep\n", "/a/a/a.txt": "one\n", "/a/b/a/a.txt": "two\n" };
  await context.given({ ...files, "/aa/a.txt": "beside\n" });
  const at = (to: string): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [to + path.slice(2), text]));
  if (profile.copy) {
    check.succeeded(await backend.copy("/a", "/c/a/b"), "copy of a directory", "M1");
    await context.holds({ ...files, ...at("/c/a/b"), "/aa/a.txt": "beside\n" });
  }
  if (profile.move) {
    check.succeeded(await backend.move("/a", "/d"), "move of a directory", "M1");
    const gone = Object.fromEntries(Object.keys(files).map((path) => [path, null]));
    await context.holds({ ...gone, ...at("/d"), "/aa/a.txt": "beside\n" });
    const found = (await backend.glob("**", "/d")).files?.map(({ path }) => path);
    check.equal(found, Object.keys(at("/d")).toSorted(), "What glob finds in the end", "M1");
  }
  check.that(true, "Every name stayed where it was in its path.");
}

async function manyFiles(context: CaseContext, method: "move" | "copy"): Promise<void> {
  const { backend, check } = context;
  const names = range(260).map((n) => `/${n % 4}/f${String(n).padStart(3, "0")}.txt`);
  await context.given(Object.fromEntries(names.map((name) => [`/from${name}`, name])));
  const result = await backend.call(method, ["/from", "/to"]);
  check.succeeded(result as object, `${method} of 260 files`, "M1");
  const expected = names.map((name) => [`/to${name}`, name] as const);
  await context.holds(Object.fromEntries(expected));
  const left = (await backend.glob("**", "/")).files?.map(({ path }) => path);
  const sources = method === "copy" ? names.map((name) => `/from${name}`) : [];
  check.equal(
    left,
    [...sources, ...names.map((name) => `/to${name}`)].toSorted(),
    "What glob finds in the end",
    "M1",
  );
}

/** S7: no cap of the storage's own stands in for the caller's. */
async function capOverAThousand(context: CaseContext): Promise<void> {
  await context.given({ "/a.txt": "x\n".repeat(1200) });
  const { backend, check } = context;
  for (const [cap, count] of [
    [1100, 1100],
    [1200, 1200],
    [5000, 1200],
  ] as const) {
    const { matches, truncated } = await backend.grep("x", "/", null, cap);
    check.equal(matches?.length, count, `The number of matches with a cap of ${cap}`, "S7");
    check.equal(truncated ?? false, count < 1200, `'truncated' with a cap of ${cap}`, "S7");
  }
}

/** Values beyond bounds that look generous. */
export const largeTextCases: readonly Case[] = [
  {
    id: "scale/large-text",
    rules: ["R1", "S1", "E1", "W6", "M1"],
    level: "core",
    needs: [],
    patience: 4,
    why: "A text of 2 MiB is read, searched, edited, copied and moved like a small one, unless a limit is declared.",
    hint: "A limit that the profile does not declare is a fault: declare limits.fileBytes, or serve what was stored.",
    run: largeText,
  },
  {
    id: "scale/cap-over-a-thousand",
    rules: ["S7", "A2"],
    level: "core",
    needs: [],
    why: "A cap of more than a thousand is that cap, and what goes beyond it is said.",
    hint: "A page of the storage ends before the cap does: ask for the next one, or say truncated.",
    run: capOverAThousand,
  },
  {
    id: "scale/many-edits",
    rules: ["E8"],
    level: "core",
    needs: ["multiEdit"],
    why: `${EDITS} edits in one call apply in order, all or none.`,
    run: manyEdits,
  },
  {
    id: "scale/repeated-names",
    rules: ["M1", "P4"],
    level: "core",
    needs: ["transfer"],
    why: "A directory moves and is copied though its name comes again in the paths below it.",
    hint: "Cut the prefix off by its length; do not replace it as a text.",
    run: repeatedNames,
  },
  ...(["move", "copy"] as const).map((method): Case => ({
    id: `scale/${method}-260-files`,
    rules: ["M1", "A7"],
    level: "core",
    needs: [method, "transfer"],
    patience: 2,
    why: `${method} of a directory takes all of its 260 files.`,
    run: (context) => manyFiles(context, method),
  })),
];
