import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { momentOf } from "../../races/moments.js";
import { momentsOf } from "../../races/moments-of.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";

const encoder = new TextEncoder();

/** One way to have a file at a path; `source` has the same content. */
type Create = (client: GuardedBackend, path: string, source: string) => Promise<Answered>;

const textOf = (source: string): string => `of ${source}\n`;

const write: Create = (client, path, source) => client.write(path, textOf(source));

/** Every way to create a file. */
function waysOf({ profile }: CaseContext): Create[] {
  const ways: Create[] = [
    write,
    // With another file: one alone may be stored as by write.
    async (client, path, source) => {
      const beside = `${source}.beside`;
      const [answer] = await client.uploadFiles(
        [path, beside].map((one) => [one, encoder.encode(textOf(source))]),
      );
      return answer ?? {};
    },
  ];
  if (profile.move) ways.push((client, path, source) => client.move(source, path));
  if (profile.copy) ways.push((client, path, source) => client.copy(source, path));
  return ways;
}

/** Rounds at a moment beside the two of writes: so that all pairs of ways come, each with either file first. */
const PAIRS_AT_ONCE = 3;

/** Which file is begun first, and how each of the two is created, at the moment of that number. */
function roundsAt(
  m: number,
  ways: readonly Create[],
): Array<readonly ["above" | "below", Create, Create]> {
  const pairs = ways.flatMap((begin) => ways.map((meet) => [begin, meet] as const));
  const turns = range(PAIRS_AT_ONCE).flatMap((k) => {
    const n = m * PAIRS_AT_ONCE + k;
    const pair = pairs[n % pairs.length];
    return pair === undefined ? [] : [[n % 2 === 0 ? "above" : "below", ...pair] as const];
  });
  return [["above", write, write], ["below", write, write], ...turns];
}

/**
 * A7: of a file and one below its path that are created at once, each that is acknowledged is there. One client refuses one of
 * them (W2); what two clients create at once both may be there, where the storage does not look.
 */
async function atOnce(context: CaseContext, other: GuardedBackend): Promise<void> {
  const ways = waysOf(context);
  for (const [m, moment] of (await momentsOf(context)).entries())
    for (const [n, [first, begin, meet]] of roundsAt(m, ways).entries()) {
      if (context.signal.aborted) return;
      context.transcript.clear();
      const top = `/${m}-${n}`;
      const above = { path: `${top}/n`, source: `${top}/above.txt` };
      const below = { path: `${top}/n/d/f.txt`, source: `${top}/below.txt` };
      const [begun, met] = first === "above" ? [above, below] : [below, above];
      await context.given({
        [above.source]: textOf(above.source),
        [below.source]: textOf(below.source),
      });
      const going = begin(context.backend, begun.path, begun.source);
      await momentOf(moment);
      const answer = await meet(other, met.path, met.source);
      const answers = [
        { ...begun, done: !hasFailed(await going) },
        { ...met, done: !hasFailed(answer) },
      ];
      await requireKept(context, other, answers, moment);
    }
}

/** What was asked for, and whether it is acknowledged. */
interface Creation {
  readonly path: string;
  readonly source: string;
  readonly done: boolean;
}

/** The content of the source of each, at a path. */
const textsAt = (
  files: ReadonlyArray<readonly [path: string, source: string]>,
): Record<string, string> =>
  Object.fromEntries(files.map(([path, source]) => [path, textOf(source)]));

/** Each that is acknowledged is there for both clients, and what was refused left its source where it was. */
async function requireKept(
  context: CaseContext,
  other: GuardedBackend,
  creations: readonly Creation[],
  moment: string,
): Promise<void> {
  const { backend, check, profile } = context;
  const done = creations.filter((one) => one.done);
  const held = textsAt(done.map(({ path, source }) => [path, source]));
  for (const client of new Set([backend, other])) await context.holds(held, client, "A7");
  const refused = creations.filter((one) => !one.done);
  await context.holds(textsAt(refused.map(({ source }) => [source, source])), backend, "M2");
  if (other === backend && profile.collisions === "refused")
    check.that(
      refused.length > 0,
      `A file and one below its path, which one client creates after ${moment}, are both acknowledged.`,
      "W2",
    );
}

/** Files that would stand where a directory has to be, created beside what needs the directory. */
export const aboveAndBelowCases: readonly Case[] = overlapCases([
  {
    name: "above-and-below",
    rules: ["A7", "W2", "M2"],
    needs: ["transfer"],
    why: "Of a file and one below its path that are created at once, each that is acknowledged is there afterwards.",
    hint: "What is tried again after a lost step looks again at what stands above and below its path.",
    run: atOnce,
  },
]);
