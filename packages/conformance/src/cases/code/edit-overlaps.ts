import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { requireEdited } from "../../races/require-edited.js";
import { momentOf } from "../../races/moments.js";
import { momentsOf } from "../../races/moments-of.js";
import { lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { contentText } from "./pair-looks.js";
import { overlapCases } from "./overlap.js";

const encoder = new TextEncoder();
const BEFORE = "one two three\n";

/** Moments at which an edit is aborted: when it has hardly begun, and at shares of what it takes. */
const ABORTED_AT = ["0 microtasks", "1 microtasks", "5 microtasks", "1 turns", "4 turns"];

/** A8, E7: an edit beside one that is aborted is made, whichever of the two came first. */
async function besideAborted(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  await context.given({ "/whole.txt": "a b\n" });
  const lasting = await lastingOf(backend.edit("/whole.txt", "a", "A"));
  for (const [n, moment] of [...ABORTED_AT, ...momentsUnderWay(lasting, 3)].entries())
    for (const first of ["aborted", "other"]) {
      if (context.signal.aborted) return;
      context.transcript.clear();
      const path = `/${first}/${n}.txt`;
      await context.given({ [path]: "a b\n" });
      const controller = new AbortController();
      const { signal } = controller;
      const begin = (): Promise<Answered> => backend.edit(path, "a", "A", false, { signal });
      const beside = (): Promise<Answered> => other.edit(path, "b", "B");
      const calls = first === "aborted" ? [begin(), beside()] : [beside(), begin()];
      await momentOf(moment);
      controller.abort();
      const answers = await Promise.all(calls);
      const [aborted, made] = first === "aborted" ? answers : answers.toReversed();
      const what = `an edit beside one that is aborted after ${moment}`;
      check.succeeded(made ?? {}, what, "A8");
      const contents = await context.contents([path], other);
      const text = contentText(contents.get(path));
      const allowed = hasFailed(aborted ?? {}) ? ["a B\n", "A B\n"] : ["A B\n"];
      check.that(
        allowed.includes(String(text)),
        `After ${what} the file should hold ${allowed.map((one) => JSON.stringify(one)).join(" or ")}; it holds ${JSON.stringify(text)}.`,
        "A7",
      );
    }
}

/** A8, A7: who gives up waiting for another's change takes nothing away from it. */
async function abortedWaiting(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  for (const [m, moment] of (await momentsOf(context)).entries()) {
    const path = `/w${m}.txt`;
    await context.given({ [path]: BEFORE });
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const first = backend.edit(path, "one", "1");
    const waiting = other.edit(path, "two", "2", false, options);
    await momentOf(moment);
    controller.abort();
    const given = await waiting;
    const [done, third] = await Promise.all([first, other.edit(path, "three", "3")]);
    check.succeeded(done, "an edit beside one that was aborted", "A7");
    check.succeeded(third, "an edit after one that was aborted", "A7");
    const text = String((await backend.read(path)).content);
    const whole = hasFailed(given) ? ["1 two 3\n", "1 2 3\n"] : ["1 2 3\n"];
    check.that(
      whole.includes(text),
      `The file should hold every acknowledged edit, but holds ${JSON.stringify(text)}, where one was aborted after ${moment}.`,
      "A7",
    );
  }
}

/** E1: a text is unique in the very text that is replaced, not in one that was looked at before. */
async function uniqueBeside(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  for (const [m, moment] of (await momentsOf(context)).entries()) {
    const path = `/u${m}.txt`;
    await context.given({ [path]: "one two\n" });
    const editing = backend.edit(path, "one", "1");
    await momentOf(moment);
    const added = await other.edit(path, "two", "two one");
    const edited = await editing;
    const text = String((await backend.read(path)).content);
    const ok = [edited, added].map((answer) => !hasFailed(answer)).join();
    const expected: Readonly<Record<string, string>> = {
      "true,true": "1 two one\n",
      "false,true": "one two one\n",
      "true,false": "1 two\n",
    };
    check.equal(
      text,
      expected[ok] ?? "one two\n",
      `The file after an edit, beside one that adds its text after ${moment},`,
      "E1",
    );
    if (!context.profile.transfer) continue;
    await context.given({ [`/w${m}.txt`]: "one two\n" });
    const replaced = backend.edit(`/w${m}.txt`, "one", "1");
    await momentOf(moment);
    const twice = "one two one\n";
    const [stored] = await other.uploadFiles([[`/w${m}.txt`, encoder.encode(twice)]]);
    await replaced;
    check.equal(stored?.error, null, "The error of an upload beside an edit", "A7");
    await context.holds({ [`/w${m}.txt`]: twice }, backend, "E1");
  }
}

type Counted = Answered & { readonly occurrences?: number | undefined };

/** E1, E8: the occurrences that a call answers are those that it replaced, whatever came before it. */
async function countedBeside(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check, profile } = context;
  type Way = readonly [name: string, edit: (path: string) => Promise<Counted>];
  const edits = [{ old: "one", new: "1", replaceAll: true }];
  const ways: Way[] = [["edit of all", (path) => backend.edit(path, "one", "1", true)]];
  if (profile.multiEdit) ways.push(["multiEdit", (path) => backend.multiEdit(path, edits)]);
  for (const [w, [name, edit]] of ways.entries())
    for (const [m, moment] of (await momentsOf(context)).entries()) {
      if (context.signal.aborted) return;
      const path = `/c${w}/${m}.txt`;
      await context.given({ [path]: "one two\n" });
      const editing = edit(path);
      await momentOf(moment);
      const added = await other.edit(path, "two", "two one one");
      const edited = await editing;
      const what = `${name}, beside one that adds its text after ${moment},`;
      requireEdited(context, added, `the edit that adds beside ${name}`);
      if (!requireEdited(context, edited, what)) continue;
      const text = String((await backend.read(path)).content);
      const replaced = text.split("1").length - 1;
      check.equal(edited.occurrences, replaced, `The occurrences that ${what} answers`, "E1");
    }
}

/** E7, E8: several edits in one call are made beside those of others, and undo none of them. */
async function severalBeside(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend } = context;
  for (const [m, moment] of (await momentsOf(context)).entries()) {
    if (context.signal.aborted) return;
    const path = `/s${m}.txt`;
    await context.given({ [path]: "a\nb\nc\nd\n" });
    const several = backend.multiEdit(path, [
      { old: "a\n", new: "A\n" },
      { old: "b\n", new: "B\n" },
    ]);
    await momentOf(moment);
    const answers = await Promise.all([
      several,
      other.edit(path, "c\n", "C\n"),
      other.multiEdit(path, [
        { old: "d\n", new: "D\n" },
        { old: "D\n", new: "E\n" },
      ]),
    ]);
    const what = `an edit of lines of its own, beside others after ${moment},`;
    const [first, one, rest] = answers.map((answer) => requireEdited(context, answer, what));
    const text = `${first ? "A\nB\n" : "a\nb\n"}${one ? "C\n" : "c\n"}${rest ? "E\n" : "d\n"}`;
    await context.holds({ [path]: text }, backend, "E7");
  }
}

/** Edits that meet another change at each of their moments. */
export const editOverlaps: readonly Case[] = overlapCases([
  {
    name: "edit-beside-an-aborted-one",
    rules: ["A8", "E7", "A7"],
    needs: ["signals"],
    why: "An edit is made though another one of the same file, before it or after it, is aborted.",
    hint: "Whoever waits in a queue goes on when the one before it is refused: its refusal is its own.",
    run: besideAborted,
  },
  {
    name: "aborted-while-waiting",
    rules: ["A7", "A8", "E7"],
    needs: ["signals", "conflicts=serialize"],
    why: "A change that is aborted while it waits for another one leaves that one, and those after it, as they are.",
    hint: "Give back only what the call itself has taken: not a lock that somebody else holds.",
    run: abortedWaiting,
  },
  {
    name: "several-edits-beside-others",
    rules: ["E7", "E8", "A7"],
    needs: ["multiEdit"],
    why: "A call with several edits is made in one step, at whatever moment another change comes.",
    hint: "All edits of a call are stored on one condition: the version of the text that they were made in.",
    run: severalBeside,
  },
  {
    name: "counted-beside-additions",
    rules: ["E1", "E8", "E7"],
    needs: [],
    why: "The occurrences that an edit answers are those that it replaced, also where another call adds some at that moment.",
    hint: "An edit that is tried again counts again.",
    run: countedBeside,
  },
  {
    name: "unique-beside-additions",
    rules: ["E1", "A7", "E7"],
    needs: [],
    why: "An edit replaces one occurrence, also where another call adds a second one at that moment.",
    hint: "Count in the text that the condition of the change names.",
    run: uniqueBeside,
  },
]);
