import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import { momentOf } from "../../races/moments.js";
import { range } from "../../races/race.js";
import { lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { AWAY, beginning, during, untilBack } from "./begin-fault.js";

const decoder = new TextDecoder();

/** Rounds of calls during a fault: more of them than a client that gives up for good is patient. */
const ROUNDS = 6;

/** A change of a file that does something else where it is done twice, and the two contents that are right. */
type Growing = readonly [
  name: string,
  call: (context: CaseContext, path: string) => Promise<Answered>,
  texts: readonly [before: string, after: string],
];

const GROWING: readonly Growing[] = [
  [
    "an edit that appends",
    ({ backend }, path) => backend.edit(path, "list:\n", "list:\n- one\n"),
    ["list:\n", "list:\n- one\n"],
  ],
  [
    "an edit of all that doubles",
    ({ backend }, path) => backend.edit(path, "x", "xx", true),
    ["x x\n", "xx xx\n"],
  ],
  [
    "a multiEdit that appends",
    ({ backend }, path) => backend.multiEdit(path, [{ old: "list:\n", new: "list:\n- one\n" }]),
    ["list:\n", "list:\n- one\n"],
  ],
];

/** A7: what is not known to be done is not done again: the text would be there twice. */
async function doneOnce(context: CaseContext): Promise<void> {
  const { check, profile } = context;
  for (const [n, [name, call, texts]] of GROWING.entries()) {
    if (name.includes("multiEdit") && !profile.multiEdit) continue;
    const path = `/${n}.txt`;
    await context.given({ [path]: texts[0] });
    const heal = await beginning(context, "loseAnswers");
    const answer = await during(heal, call(context, path));
    await untilBack(context);
    const content = (await context.contents([path])).get(path) ?? "";
    const text = typeof content === "string" ? content : decoder.decode(content);
    const allowed = hasFailed(answer) ? texts : texts.slice(1);
    check.that(
      allowed.includes(text),
      `After ${name}, whose answer was lost, the file holds ${JSON.stringify(text)}.`,
      "A7",
    );
  }
}

/** A10: a storage that was away is used again as soon as it is back, however often it was asked meanwhile. */
async function usedAgain(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  await context.given({ "/a.txt": "one\n" });
  const heal = await beginning(context, "cut");
  try {
    for (const n of range(ROUNDS)) {
      const answers: Answered[] = await Promise.all([
        backend.read("/a.txt"),
        backend.ls("/"),
        backend.grep("one"),
        backend.glob("**"),
        backend.write(`/b${n}.txt`, "b"),
        backend.edit("/a.txt", "one", "lost"),
      ]);
      for (const answer of answers)
        check.that(hasFailed(answer), "A call of a storage that is away succeeded.", "A1");
    }
  } finally {
    await heal();
  }
  const back = "of a storage that is back";
  check.succeeded(await backend.read("/a.txt"), `read ${back}`, "A10");
  check.succeeded(await backend.ls("/"), `ls ${back}`, "A10");
  check.succeeded(await backend.grep("one"), `grep ${back}`, "A10");
  check.succeeded(await backend.write("/c.txt", "c\n"), `write ${back}`, "A10");
  check.succeeded(await backend.edit("/a.txt", "one", "two"), `edit ${back}`, "A10");
  if (profile.move) check.succeeded(await backend.move("/c.txt", "/d.txt"), `move ${back}`, "A10");
  await context.holds({ "/a.txt": "two\n" }, backend, "A7");
}

const FILES = Object.fromEntries(
  range(40).map((n) => [`/d/${n % 4}/${String(n).padStart(2, "0")}.txt`, `needle ${n}\n`]),
);

/** A2: a storage that goes away in the middle of a search, a listing or a batch leaves no answer that looks whole. */
async function wholeOrFailed(context: CaseContext): Promise<void> {
  const { backend } = context;
  await context.given(FILES);
  const paths = Object.keys(FILES);
  const reads: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
    ["ls", () => backend.ls("/d")],
    ["glob", () => backend.glob("**/*.txt", "/d")],
    ["grep", () => backend.grep("needle", "/d")],
    ["grep of a pattern of files", () => backend.grep("needle", "/", "**/0?.txt")],
    ["downloadFiles", () => backend.downloadFiles(paths)],
  ];
  for (const [name, read] of reads) {
    const pending = read();
    const lasting = await lastingOf(pending);
    const whole = await pending;
    for (const moment of momentsUnderWay(lasting)) {
      const call = read();
      await momentOf(moment);
      const heal = await beginning(context, "cut");
      const answer = await during(heal, call);
      await untilBack(context);
      requireWholeOrFailed(context, answer, whole, `${name}, cut off after ${moment},`);
    }
  }
}

interface Answer extends Answered {
  readonly truncated?: boolean;
  readonly warnings?: readonly unknown[];
}

/** An answer, or each item of a batch, is a failure of the storage, says that it is a part, or is all that it is without a fault. */
function requireWholeOrFailed(
  context: CaseContext,
  answer: unknown,
  whole: unknown,
  what: string,
): void {
  if (Array.isArray(answer) && Array.isArray(whole)) {
    for (const [n, one] of answer.entries())
      requireWholeOrFailed(context, one, whole[n], `item ${n} of ${what}`);
    return;
  }
  const { truncated, warnings = [], ...result } = answer as Answer;
  if (hasFailed(result)) context.check.failed(result, AWAY, what, "A1");
  else if (truncated !== true && warnings.length === 0)
    context.check.equal(answer, whole, `What is answered, as if it were all, by ${what}`, "A2");
}

/** What comes after a fault, and what it meets under way. */
export const faultSequelCases: readonly Case[] = [
  {
    id: "fault/done-once",
    rules: ["A7", "E7"],
    level: "safe",
    needs: ["faults", "codes", "transfer"],
    why: "A change whose answer is lost is not made again: an edit that appends would append twice.",
    hint: "Look before a change is tried again, or leave that to the caller: 'unavailable' says that the outcome is not known.",
    run: doneOnce,
  },
  {
    id: "fault/used-again",
    rules: ["A10", "A7", "A1"],
    level: "safe",
    needs: ["faults", "codes", "transfer"],
    patience: 2,
    why: "Once the storage is back every method works, however many calls have failed before.",
    hint: "Whatever stops asking after some failures has to ask again.",
    run: usedAgain,
  },
  {
    id: "fault/cut-midway",
    rules: ["A2", "A1"],
    level: "safe",
    needs: ["faults", "codes", "transfer", "consistency=strong"],
    patience: 2,
    why: "A read of many files from which the storage goes away in the middle fails, or says that it is a part.",
    hint: "A file that could not be read is not a file without matches.",
    run: wholeOrFailed,
  },
];
