import type { CaseContext, Content } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { countedSignal, requireNoneLeft } from "../../matrix/counted-signal.js";
import { saysUnsettled } from "../../matrix/settling.js";
import { hasTime, inTurns } from "../../races/aborted-rounds.js";
import { momentOf } from "../../races/moments.js";
import { race, range } from "../../races/race.js";
import { lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";

const encoder = new TextEncoder();

/** A change of a file that holds `one`, and what is at which path once it is made. */
interface Change {
  readonly name: string;
  readonly call: (path: string, options?: { signal: AbortSignal }) => Promise<unknown>;
  readonly made: (path: string) => Readonly<Record<string, Content | null>>;
}

function changesOf({ profile }: CaseContext, backend: GuardedBackend): Change[] {
  const changes: Change[] = [
    {
      name: "edit",
      call: (path, options) => backend.edit(path, "one", "two", false, options),
      made: (path) => ({ [path]: "two\n" }),
    },
    {
      name: "uploadFiles",
      call: (path, options) => backend.uploadFiles([[path, encoder.encode("one up\n")]], options),
      made: (path) => ({ [path]: "one up\n" }),
    },
  ];
  if (profile.multiEdit)
    changes.push({
      name: "multiEdit",
      call: (path, options) => backend.multiEdit(path, [{ old: "one", new: "two" }], options),
      made: (path) => ({ [path]: "two\n" }),
    });
  if (profile.delete)
    changes.push({
      name: "delete",
      call: (path, options) => backend.delete(path, options),
      made: (path) => ({ [path]: null }),
    });
  for (const method of ["move", "copy"] as const)
    if (profile[method])
      changes.push({
        name: method,
        call: (path, options) =>
          backend[method](path, `${path}-${method}`, { overwrite: true, ...options }),
        made: (path) => ({
          [path]: method === "move" ? null : "one\n",
          [`${path}-${method}`]: "one\n",
        }),
      });
  return changes;
}

/** Whether a change was refused, or the only item of a batch. */
function isRefused(answer: unknown): boolean {
  return hasFailed((Array.isArray(answer) ? answer[0] : answer) as Answered);
}

/** A7: whether a change may take effect after its answer. A file of a batch has no sentence: its code alone leaves it open. */
function mayStillHappen(answer: unknown): boolean {
  if (Array.isArray(answer)) return isRefused(answer);
  return saysUnsettled((answer as Answered).error);
}

/** Moments at which a change begins after another one, and is aborted after it has begun. */
const WAITS = ["0 microtasks", "5 microtasks", "20 microtasks", "1 turns"];

/** A8: a change that is aborted while it waits does not block other changes, neither on this client nor on another one. */
async function freesTheNext(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  // All changes at one moment before the next moment: where time ends early, each has been tried.
  const rounds = WAITS.flatMap((moment) =>
    changesOf(context, backend).flatMap((begin) =>
      changesOf(context, other).map((wait) => [begin, wait, moment] as const),
    ),
  );
  const start = performance.now();
  for (const [n, [first, second, moment]] of inTurns(rounds).entries()) {
    if (!hasTime(context, start, n)) return;
    context.transcript.clear();
    const path = `/${first.name}/${second.name}-${moment.replace(" ", "-")}.txt`;
    await context.given({ [path]: "one\n" });
    const controller = new AbortController();
    const begun = first.call(path);
    await momentOf(moment);
    const waiting = second.call(path, { signal: controller.signal });
    await momentOf(moment);
    controller.abort();
    const [, given] = await Promise.all([begun, waiting]);
    const isOpen = mayStillHappen(given);
    const what = `The upload after ${first.name}, and ${second.name} that was aborted while it waited`;
    const [stored] = await backend.uploadFiles([[path, encoder.encode("last\n")]]);
    check.equal(stored?.error, null, what, "A8");
    if (!isOpen) await context.holds({ [path]: "last\n" }, backend, "A7");
  }
}

/** Changes of three files that begin at once, each with a signal of its own. */
const AT_ONCE = 3;

/** A8, A7: changes of other files that begin with one that is aborted are made. */
async function others(context: CaseContext): Promise<void> {
  const { backend } = context;
  const changes = changesOf(context, backend);
  const moments = new Map<string, string[]>();
  for (const { name, call } of changes) {
    const path = `/alone/${name}.txt`;
    await context.given({ [path]: "one\n" });
    moments.set(name, ["0 microtasks", "1 turns", ...momentsUnderWay(await lastingOf(call(path)))]);
  }
  const most = Math.max(...[...moments.values()].map(({ length }) => length));
  const rounds = range(most).flatMap((at) =>
    changes.flatMap((change, n) => [
      { at, kinds: range(AT_ONCE).map(() => change) },
      { at, kinds: range(AT_ONCE).map((k) => changes[(n + k) % changes.length] ?? change) },
    ]),
  );
  const begun = performance.now();
  for (const [n, { at, kinds }] of inTurns(rounds).entries()) {
    if (!hasTime(context, begun, n)) return;
    context.transcript.clear();
    const pathOf = (k: number): string => `/${n}/${k}.txt`;
    await context.given(Object.fromEntries(kinds.map((_, k) => [pathOf(k), "one\n"])));
    const calls = kinds.map(({ name, call, made }, k) => {
      const path = pathOf(k);
      const controller = new AbortController();
      const pending = call(path, { signal: controller.signal });
      return { name, path, made: made(path), controller, pending };
    });
    const aborted = calls[n % AT_ONCE];
    const moment = moments.get(aborted?.name ?? "")?.[at] ?? "1 turns";
    await momentOf(moment);
    aborted?.controller.abort();
    for (const call of calls) {
      const answer = await call.pending;
      const refused = isRefused(answer);
      const what = `${call.name} beside ${aborted?.name}, which was aborted after ${moment},`;
      if (call !== aborted) context.check.that(!refused, `${what} should have succeeded.`, "A8");
      if (mayStillHappen(answer)) continue;
      await context.holds(refused ? { [call.path]: "one\n" } : call.made, backend, "A7");
    }
  }
}

/** A8: nothing listens to the signals of edits that had to wait for their turn, or to be tried again. */
async function noListeners(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend } = context;
  for (const round of range(4)) {
    const path = `/${round}.txt`;
    await context.given({ [path]: "<0>\n<1>\n<2>\n<3>\n" });
    const counted = range(4).map(() => countedSignal());
    await race(
      counted.map(
        ({ signal }, n) =>
          () =>
            (n % 2 === 0 ? backend : other).edit(path, `<${n}>`, `[${n}]`, false, { signal }),
      ),
    );
    for (const one of counted) await requireNoneLeft(context, one, "of an edit that met others");
  }
}

/** Changes that are aborted among others. */
export const abortedChangeCases: readonly Case[] = [
  {
    id: "guard/aborted-beside-changes",
    rules: ["A8", "A7"],
    level: "core",
    needs: ["signals", "transfer", "consistency=strong"],
    patience: 2,
    why: "Changes of other files that were called together with one that is aborted are made.",
    hint: "A request that carries the changes of several calls must not end with the signal of one of them.",
    run: others,
  },
  ...overlapCases([
    {
      name: "aborted-frees-the-next",
      rules: ["A8", "A7"],
      needs: ["signals", "transfer"],
      why: "A change that is aborted while it waits for another one leaves its place in the line.",
      hint: "A change that gets its turn after it was aborted passes the turn on.",
      run: freesTheNext,
    },
    {
      name: "edits-leave-no-listeners",
      rules: ["A8"],
      needs: ["signals"],
      why: "An edit that met another one removes its listeners from the signal, as any call does.",
      hint: "A pause between two attempts, or a wait for a turn, removes its listener also when it is over.",
      run: noListeners,
    },
  ]),
];
