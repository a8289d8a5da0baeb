import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { saysUnsettled } from "../../matrix/settling.js";
import { hasTime, inTurns } from "../../races/aborted-rounds.js";
import { momentOf } from "../../races/moments.js";
import { lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { contentText } from "./pair-looks.js";
import { overlapCases } from "./overlap.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();

/** Bytes of contents that storages keep beside a row, and in several parts. */
const SIZES = [9000, 140_000];
/** Points of each change at which it is aborted. */
const POINTS = 5;

/** What files hold before a change and after it, `null` for none; one of them is what the change is about. */
interface LargeChange {
  readonly name: string;
  readonly call: (path: string, options?: { signal: AbortSignal }) => Promise<Answered>;
  readonly before: Readonly<Record<string, string | null>>;
  readonly after: Readonly<Record<string, string | null>>;
}

/** A text of about so many bytes, whose first line is the only one of its kind. */
function textOf(word: string, size: number): string {
  const line = `${word.repeat(33)}\n`;
  return `${word} first\n${line.repeat(size / line.length)}`;
}

/** Changes at `path`, and of a source at `path.from`; what is there is named by the end of its path. */
function changesOf({ backend, profile }: CaseContext, size: number): LargeChange[] {
  const [old, other] = [textOf("old", size), textOf("new", size)];
  const edited = old.replace("old first", "the first");
  const changes: LargeChange[] = [
    {
      name: "write",
      call: (path, options) => backend.write(path, other, options),
      before: { "": null },
      after: { "": other },
    },
    {
      name: "uploadFiles",
      call: async (path, options) => {
        const [answer] = await backend.uploadFiles([[path, encoder.encode(other)]], options);
        return answer ?? {};
      },
      before: { "": old },
      after: { "": other },
    },
    {
      name: "edit",
      call: (path, options) => backend.edit(path, "old first", "the first", false, options),
      before: { "": old },
      after: { "": edited },
    },
  ];
  for (const method of ["copy", "move"] as const)
    if (profile[method])
      changes.push({
        name: method,
        call: (path, options) =>
          backend[method](`${path}.from`, path, { overwrite: true, ...options }),
        before: { "": old, ".from": other },
        after: { "": other, ".from": method === "copy" ? other : null },
      });
  return changes;
}

function filesOf(path: string, files: LargeChange["before"]): Record<string, string> {
  const there = Object.entries(files).flatMap(([end, text]) =>
    text === null ? [] : [[path + end, text] as const],
  );
  return Object.fromEntries(there);
}

/** A8, A7: a large change that is aborted on the way is made or not, and what was there can be read. */
async function abortedLarge(context: CaseContext, other: GuardedBackend): Promise<void> {
  const rounds: Array<{ change: LargeChange; size: number; moment: string }> = [];
  for (const size of sizesWithin(context, SIZES))
    for (const change of changesOf(context, size)) {
      const path = `/alone/${change.name}${size}`;
      await context.given(filesOf(path, change.before));
      const lasting = await lastingOf(change.call(path));
      for (const moment of ["0 microtasks", ...momentsUnderWay(lasting, POINTS - 1)])
        rounds.push({ change, size, moment });
    }
  const begun = performance.now();
  for (const [n, { change, moment, size }] of inTurns(rounds).entries()) {
    if (!hasTime(context, begun, n)) return;
    context.transcript.clear();
    const path = `/${n}/${change.name}`;
    await context.given(filesOf(path, change.before));
    const controller = new AbortController();
    const pending = change.call(path, { signal: controller.signal });
    await momentOf(moment);
    controller.abort();
    const what = `${change.name} of ${size} bytes, aborted after ${moment}`;
    await requireWhole(context, other, { path, change, what, answer: await pending });
  }
}

interface Aborted {
  readonly path: string;
  readonly change: LargeChange;
  readonly what: string;
  readonly answer: Answered;
}

/** Whether every file is as it was or as the change makes it: as the answer says, where that says it. */
async function requireWhole(
  context: CaseContext,
  client: GuardedBackend,
  { path, change: { name, before, after }, what, answer }: Aborted,
): Promise<void> {
  const { check } = context;
  // A file of a batch has no sentence: its code alone leaves it open.
  const isOpen = hasFailed(answer) && (name === "uploadFiles" || saysUnsettled(answer.error));
  const ends = Object.keys(before);
  const contents = await context.contents(
    ends.map((end) => path + end),
    client,
  );
  const textAt = (end: string): string | null => contentText(contents.get(path + end)) ?? null;
  for (const end of ends) {
    const allowed = isOpen
      ? [before[end], after[end]]
      : [hasFailed(answer) ? before[end] : after[end]];
    check.that(
      allowed.includes(textAt(end)),
      `After ${what}, '${path}${end}' should hold what ${allowed.length > 1 ? "it held, or what the change makes of it" : hasFailed(answer) ? "it held" : "the change makes of it"}; it holds ${summary(textAt(end))}.`,
      "A7",
    );
  }
  if (name === "move")
    check.that(
      ends.some((end) => textAt(end) === after[""]),
      `After ${what}, what was moved should be at one of its places.`,
      "A7",
    );
}

function summary(text: string | null): string {
  return text === null ? "nothing that can be read" : `${text.length} characters`;
}

/** Changes of what takes more than one step to store, aborted between these. */
export const abortedLargeCases: readonly Case[] = overlapCases([
  {
    name: "aborted-large-changes",
    rules: ["A8", "A7", "M2"],
    needs: ["signals", "transfer"],
    why: "A change of a large file that is aborted on the way is made or is not, and what its answer leaves there can be read.",
    hint: "Store the parts first, and last, in one step, what names them; remove the old ones after that.",
    run: abortedLarge,
  },
]);
