import type { CaseContext } from "../engine/case-context.js";
import { type Answered, hasFailed } from "../engine/checker.js";
import type { GuardedBackend } from "../engine/guard.js";
import { show } from "../report/render.js";
import { momentOf } from "./moments.js";
import { race, range } from "./race.js";
import { type Clients, textsOf } from "./relocations.js";
import { lastingOf, momentsUnderWay } from "./under-way.js";

/** Files of a round, each of which meets the second client at another moment. */
const FILES = 8;

/** What is at a destination in every other round; in the others nothing is, and one of the two moves may only create. */
const OLD = "old\n";
const MOVED = "moved\n";

/** The moments at which a move over a file is under way, by how long one takes alone. */
function momentsOfMove(context: CaseContext): Promise<string[]> {
  return context.once("moments-of-a-move", async () => {
    await context.given({ "/alone/from.txt": MOVED, "/alone/to.txt": OLD });
    const moving = context.backend.move("/alone/from.txt", "/alone/to.txt", { overwrite: true });
    return ["0 microtasks", ...momentsUnderWay(await lastingOf(moving), FILES - 1)];
  });
}

function move(client: GuardedBackend, top: string, overwrite: boolean): Promise<Answered> {
  return client.move(`${top}/from.txt`, `${top}/to.txt`, ...(overwrite ? [{ overwrite }] : []));
}

/**
 * Two clients that move the same files to the same places: of each file one has moved it, and the other, which finds its source
 * gone, must not take back what is at the destination. The content of both copies is the same, and may be their version.
 */
export async function oneFileToOnePlace(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const moments = await momentsOfMove(context);
  const isOver = round % 2 === 0;
  const tops = range(FILES).map((n) => `/same${round}/${n}`);
  await context.given(
    Object.fromEntries(
      tops.flatMap((top) => [
        [`${top}/from.txt`, MOVED] as const,
        ...(isOver ? [[`${top}/to.txt`, OLD] as const] : []),
      ]),
    ),
  );
  const answers = await race(
    tops.map((top, n) => async (): Promise<readonly Answered[]> => {
      const first = move(one, top, isOver || n % 2 === 0);
      await momentOf(moments[(n + round) % FILES] ?? "1 turns");
      return Promise.all([first, move(two, top, isOver || n % 2 === 1)]);
    }),
  );
  for (const [n, top] of tops.entries())
    await requireOne(context, top, answers[n] ?? [], isOver ? OLD : undefined);
}

function saidOf(answers: readonly Answered[]): string {
  return answers
    .map((answer) => (hasFailed(answer) ? show(answer.code) : "acknowledged"))
    .join(" and ");
}

/** A file that one call has moved is at its destination, one that both were refused for where it was, and none is gone. */
async function requireOne(
  context: CaseContext,
  top: string,
  answers: readonly Answered[],
  old: string | undefined,
): Promise<void> {
  const [from, to] = await textsOf(context, [`${top}/from.txt`, `${top}/to.txt`]);
  const said = saidOf(answers);
  const made = answers.filter((answer) => !hasFailed(answer)).length;
  const left = `there is ${show({ from: from ?? null, to: to ?? null })}`;
  const sentence = `Two moves of one file to one place were answered ${said}; ${left}.`;
  context.check.that(made <= 1, sentence, "A7");
  if (made === 1) context.check.that(from === undefined && to === MOVED, sentence, "M6");
  else if (answers.some(({ code }) => code === "unavailable"))
    context.check.that(from === MOVED || to === MOVED, sentence, "M7");
  else context.check.that(from === MOVED && to === old, sentence, "M5");
}

/** The contents of two files that change places: other ones, or the same, whose copies may have one version. */
const PAIRS = [
  ["one\n", "two\n"],
  [MOVED, MOVED],
] as const;

/**
 * Two clients of which each moves one of two files over the other. What the first has stored at the source of the second may have the
 * version by which that is removed, so that each removes what the other has moved, and nothing is left.
 */
export async function filesOverEachOther(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const moments = await momentsOfMove(context);
  const [a, b] = PAIRS[round % 3 === 0 ? 1 : 0];
  const tops = range(FILES).map((n) => `/over${round}/${n}`);
  await context.given(
    Object.fromEntries(
      tops.flatMap((top) => [[`${top}/a.txt`, a] as const, [`${top}/b.txt`, b] as const]),
    ),
  );
  const over = { overwrite: true };
  const answers = await race(
    tops.map((top, n) => async (): Promise<readonly Answered[]> => {
      const first = one.move(`${top}/a.txt`, `${top}/b.txt`, over);
      // Most often at once: each has to be stored before the other one is removed.
      await momentOf(n % 2 === 0 ? "0 microtasks" : (moments[(n + round) % FILES] ?? "1 turns"));
      return Promise.all([first, two.move(`${top}/b.txt`, `${top}/a.txt`, over)]);
    }),
  );
  for (const [n, top] of tops.entries())
    await requireLeft(context, [`${top}/a.txt`, `${top}/b.txt`], [a, b], answers[n] ?? []);
}

/** One is left where both were moved, both where both were refused, and never none. */
async function requireLeft(
  context: CaseContext,
  paths: readonly string[],
  contents: readonly string[],
  answers: readonly Answered[],
): Promise<void> {
  const texts = await textsOf(context, paths);
  const left = texts.filter((text) => text !== undefined);
  const said = saidOf(answers);
  const sentence = `Two moves of two files over each other were answered ${said}; there is ${show(texts.map((text) => text ?? null))}.`;
  context.check.that(left.length > 0, sentence, "A7");
  context.check.that(
    left.every((text) => contents.includes(text)),
    sentence,
    "A7",
  );
  if (answers.every((answer) => !hasFailed(answer)))
    context.check.that(left.length === 1, sentence, "M5");
  else if (answers.every(({ code }) => code === "conflict"))
    context.check.that(left.length === 2, sentence, "M5");
}
