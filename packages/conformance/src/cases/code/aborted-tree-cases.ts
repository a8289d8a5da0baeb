import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext, Content } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import { hasTime, inTurns, SHARES } from "../../races/aborted-rounds.js";
import { momentOf } from "../../races/moments.js";
import { range } from "../../races/race.js";
import { saysUnsettled } from "../../matrix/settling.js";
import { isInMemory, lastingOf } from "../../races/under-way.js";
import type { Case } from "../case.js";

const decoder = new TextDecoder();

type Kind = "move" | "copy";

/** Files of the directory: more than any engine copies at once. */
const FILES = 30;
/** Files of a directory that is more than one batch: between two of them a signal is looked at, too. Asked in memory only. */
const MANY_FILES = 300;
const FEW_SHARES = [0.3, 0.7];

/** What is at the destination before, in a round with `overwrite`. */
const BEFORE = { "/0/f0.txt": "replaced\n", "/0/s/f3.txt": "", "/own.txt": "own\n" };

/** Rounds with a directory of a size. */
interface Rounds {
  readonly kind: Kind;
  /** Its files: each holds its own path. */
  readonly paths: readonly string[];
  /** Whether the signal also fires at the first moments, and over a directory. */
  readonly all: boolean;
}

function roundsOf(kind: Kind, files: number, all: boolean): Rounds {
  const paths = range(files).map((n) => `/${n % 3}/${"s/".repeat(n % 2)}f${n}.txt`);
  return { kind, paths, all };
}

/** The directory of a round. */
function sourceOf(round: string, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [`/${round}/from${path}`, path]));
}

/**
 * M2: what was aborted while it copied has taken back what it copied, and nothing is ever gone from both places. Returns whether
 * the call lasts for microtasks alone.
 */
async function abortedMidway(context: CaseContext, rounds: Rounds): Promise<{ inMemory: boolean }> {
  const { backend } = context;
  const { kind, paths, all } = rounds;
  const top = `${paths.length}`;
  await context.given(sourceOf(top, paths));
  const begun = performance.now();
  // With a signal, as later: some go another way with one.
  const { signal } = new AbortController();
  const first = backend[kind](`/${top}/from`, `/${top}/to`, { signal });
  const lasting = await lastingOf(first);
  context.check.succeeded(await first, kind, "M1");
  const whole = performance.now() - begun;
  const inMemory = isInMemory(lasting);
  const moments = [
    ...(all ? SHARES.map((share) => () => delay(whole * share)) : []),
    ...(inMemory
      ? (all ? SHARES : FEW_SHARES).map(
          (share) => () => momentOf(`${Math.round(lasting.microtasks * share)} microtasks`),
        )
      : []),
    ...(all ? ["2 microtasks", "10 microtasks", "1 turns"].map((one) => () => momentOf(one)) : []),
  ];
  for (const [n, moment] of inTurns(moments).entries())
    for (const overwrite of all ? [false, true] : [false]) {
      if (!hasTime(context, begun, n)) return { inMemory };
      const round = `${top}-${n}${overwrite ? "o" : ""}`;
      const before = Object.fromEntries(
        Object.entries(overwrite ? BEFORE : {}).map(([path, text]) => [
          `/${round}/to${path}`,
          text,
        ]),
      );
      await context.given({ ...sourceOf(round, paths), ...before });
      const controller = new AbortController();
      const pending = backend[kind](`/${round}/from`, `/${round}/to`, {
        ...(overwrite ? { overwrite } : {}),
        signal: controller.signal,
      });
      await moment();
      controller.abort();
      const answer = await pending;
      if (!hasFailed(answer)) continue;
      await judge(context, rounds, {
        round,
        before,
        unsettled: saysUnsettled(answer.error),
        inMemory,
      });
    }
  return { inMemory };
}

function isText(content: Content | undefined, text: string): boolean {
  return (typeof content === "string" ? content : decoder.decode(content)) === text;
}

async function judge(
  context: CaseContext,
  { kind, paths }: Rounds,
  {
    round,
    before,
    unsettled,
    inMemory,
  }: {
    round: string;
    before: Readonly<Record<string, string>>;
    unsettled: boolean;
    inMemory: boolean;
  },
): Promise<void> {
  const { check } = context;
  const [from, to] = [`/${round}/from`, `/${round}/to`];
  // First the sources: what has left them by then has arrived before, also where the change still goes on.
  const sources = await context.contents(paths.map((path) => from + path));
  const targets = await context.contents(paths.map((path) => to + path));
  const arrived = paths.filter((path) => isText(targets.get(to + path), path));
  const gone = paths.filter((path) => !isText(sources.get(from + path), path));
  if (kind === "copy") check.equal(gone, [], "The sources that an aborted copy changed", "M2");
  const lost = gone.filter((path) => !arrived.includes(path));
  check.equal(lost, [], `What an aborted ${kind} left at neither place`, "A7");
  // A storage that copies within microtasks has said what it did: a part of the copies is never left on a guess. A move that
  // lasts no longer says nothing of that: a disk renames, and copies only where something is in the way.
  if (kind === "copy" && inMemory && unsettled && gone.length === 0)
    check.that(
      arrived.length === 0 || arrived.length === paths.length,
      `An aborted ${kind} left ${arrived.length} of ${paths.length} copies, and each call of the storage had its answer.`,
      "M2",
    );
  if (gone.length > 0) {
    const missing = paths.filter((path) => !arrived.includes(path));
    check.equal(
      missing,
      [],
      `What has not arrived, though an aborted ${kind} removed others`,
      "M8",
    );
  }
  if (unsettled || gone.length > 0) return;
  check.equal(
    arrived,
    [],
    `What an aborted ${kind}, of which nothing is unknown, left there`,
    "M2",
  );
  await context.holds(before, context.backend, "M6");
  if (Object.keys(before).length > 0) return;
  const listed = await context.backend.ls(to);
  check.failed(listed, "not_found", `ls of where an aborted ${kind} has left nothing`, "M2");
}

/** Directories whose relocation is aborted on the way. */
export const abortedTreeCases: readonly Case[] = (["copy", "move"] as const).map(relocationAborted);

function relocationAborted(kind: Kind): Case {
  return {
    id: `${kind}/aborted-midway`,
    rules: ["M2", "A8", "A7", "M6", "M8"],
    level: "core",
    needs: ["signals", "transfer", "consistency=strong", kind],
    patience: 3,
    why: `A ${kind} of a directory that is aborted on the way leaves every source, and at the destination what was there before.`,
    hint: "Take back what was copied also where the signal fires between two files, on a signal that has not fired.",
    run: async (context) => {
      const { inMemory } = await abortedMidway(context, roundsOf(kind, FILES, true));
      // Where each file costs requests, so many cost minutes; and it is copies that are taken back.
      if (inMemory && kind === "copy")
        await abortedMidway(context, roundsOf(kind, MANY_FILES, false));
    },
  };
}
