import type { CaseContext, Content } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { hasFailed } from "../../engine/checker.js";
import { race, range } from "../../races/race.js";
import { setImmediate as turn } from "node:timers/promises";
import type { Case } from "../case.js";

const ROUNDS = { quick: 12, full: 60, soak: 400 } as const;

/** Lets a task begin a few turns later, so that rounds overlap in different ways. */
async function staggered<T>(round: number, n: number, task: () => Promise<T>): Promise<T> {
  for (let wait = (round * (n + 1)) % 4; wait > 0; wait--) await turn();
  return task();
}

type Clients = readonly [GuardedBackend, GuardedBackend];

function textOf(content: Content | undefined): string | undefined {
  return content instanceof Uint8Array ? new TextDecoder().decode(content) : content;
}

async function textsOf(
  context: CaseContext,
  paths: readonly string[],
): Promise<Array<string | undefined>> {
  const found = await context.contents(paths);
  return paths.map((path) => textOf(found.get(path)));
}

/** A1: what an acknowledged edit put into a moving file is in one of the two places, and the file in exactly one. */
async function editAgainstMove(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const [from, to] = [`/${round}/from.txt`, `/${round}/to.txt`];
  await context.given({ [from]: "start\n" });
  const [edited, moved] = await race<{ error?: unknown; code?: unknown }>([
    () => staggered(round, 0, () => one.edit(from, "start", "edited")),
    () => staggered(round, 1, () => two.move(from, to)),
  ]);
  const [atFrom, atTo] = await textsOf(context, [from, to]);
  const places = [atFrom, atTo].filter((text) => text !== undefined);
  const said = `edit ${outcome(edited)}, move ${outcome(moved)}`;
  context.check.equal(places.length, 1, `The places where the file is (${said})`, "M2");
  const expected = hasFailed(edited ?? {}) ? "start\n" : "edited\n";
  context.check.equal(places[0], expected, `What the file holds (${said})`, "A7");
  context.check.equal(
    atTo !== undefined,
    !hasFailed(moved ?? {}),
    `Whether the file has moved (${said})`,
    "A7",
  );
}

function outcome(result: { error?: unknown; code?: unknown } | undefined): string {
  return hasFailed(result ?? {}) ? `refused with ${String(result?.code)}` : "acknowledged";
}

/** Files that move to one place: one arrives, the others stay, and no content is gone. */
async function toOneTarget(
  context: CaseContext,
  clients: Clients,
  round: number,
  method: "move" | "copy",
): Promise<void> {
  const sources = range(4).map((n) => `/${method}${round}/s${n}.txt`);
  const to = `/${method}${round}/target.txt`;
  await context.given(Object.fromEntries(sources.map((path) => [path, path])));
  const results = await race(
    sources.map(
      (path, n) => () =>
        staggered(round, n, () => (clients[n % 2] ?? clients[0]).call(method, [path, to])),
    ),
  );
  const winners = results.flatMap((result, n) => (hasFailed(result as object) ? [] : [n]));
  context.check.equal(
    winners.length,
    1,
    `The number of files that ${method} put to one place`,
    "M1",
  );
  const [winner = 0] = winners;
  const expected = Object.fromEntries(
    sources.map((path, n): [string, string | null] => [
      path,
      method === "move" && n === winner ? null : path,
    ]),
  );
  await context.holds({ ...expected, [to]: sources[winner] ?? null }, context.backend, "A7");
}

/** A file that is made where another one arrives: one of them is refused, neither is lost. */
async function createAgainstMove(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const [from, to] = [`/c${round}/from.txt`, `/c${round}/to.txt`];
  await context.given({ [from]: "moved" });
  const [written, moved] = await race<{ error?: unknown; code?: unknown }>([
    () => staggered(round, 0, () => one.write(to, "written")),
    () => staggered(round, 1, () => two.move(from, to)),
  ]);
  const said = `write ${outcome(written)}, move ${outcome(moved)}`;
  const winners = [written, moved].filter((result) => !hasFailed(result ?? {})).length;
  context.check.equal(winners, 1, `The number of winners of one path (${said})`, "W4");
  const arrived = !hasFailed(moved ?? {});
  await context.holds(
    { [to]: arrived ? "moved" : "written", [from]: arrived ? null : "moved" },
    context.backend,
    "A7",
  );
}

/** Edits and new files in a directory that moves: every acknowledged one is there, in one of the two places. */
async function changesInMovingDirectory(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const names = range(8).map((n) => `f${n}.txt`);
  const [from, to] = [`/t${round}/from`, `/t${round}/to`];
  await context.given(
    Object.fromEntries(names.map((name) => [`${from}/${name}`, `start ${name}\n`])),
  );
  const changes = names.map(
    (name, n) => () => staggered(round, n, () => one.edit(`${from}/${name}`, "start", "edited")),
  );
  const creations = range(4).map(
    (n) => () => staggered(round, n, () => one.write(`${from}/new${n}.txt`, `new ${n}\n`)),
  );
  const results = await race<{ error?: unknown }>([
    ...changes,
    ...creations,
    () => staggered(round, 1, () => two.move(from, to)),
  ]);
  for (const [n, name] of [...names, ...range(4).map((k) => `new${k}.txt`)].entries()) {
    const [atFrom, atTo] = await textsOf(context, [`${from}/${name}`, `${to}/${name}`]);
    const isNew = n >= names.length;
    const done = !hasFailed(results[n] ?? {});
    const start = isNew ? undefined : `start ${name}\n`;
    const wanted = done ? (isNew ? `new ${n - names.length}\n` : `edited ${name}\n`) : start;
    const places = [atFrom, atTo].filter((text) => text !== undefined);
    if (wanted === undefined) continue;
    context.check.that(
      places.includes(wanted),
      `${name} was ${done ? "changed, and that was acknowledged" : "there before"}, but ${JSON.stringify(wanted)} is neither where it was nor where its directory moved: ${JSON.stringify(places)}.`,
      "A7",
    );
    context.check.equal(places.length, 1, `The places where ${name} is`, "M2");
  }
}

/** A reader that does not find a file where it was finds it where it went. */
async function neverGone(context: CaseContext, [one, two]: Clients, round: number): Promise<void> {
  const [from, to] = [`/n${round}/from.txt`, `/n${round}/to.txt`];
  await context.given({ [from]: "here" });
  const moving = { done: false };
  const look = async (): Promise<void> => {
    while (!moving.done) {
      const first = await one.read(from);
      if (hasFailed(first)) {
        const second = await one.read(to);
        context.check.equal(
          second.content,
          "here",
          "What is read where a file moved, once it is gone where it was",
          "A7",
        );
        return;
      }
      await turn();
    }
  };
  await race([
    look,
    async () => {
      const result = await staggered(round, 1, () => two.move(from, to));
      moving.done = true;
      context.check.succeeded(result, "move beside readers", "M1");
    },
  ]);
  await context.holds({ [from]: null, [to]: "here" });
}

/** Calls of two clients one after the other: nothing overlaps, and nothing may be refused for a race. */
async function noRaceNoConflict(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const path = `/q${round}/a.txt`;
  const { check, profile } = context;
  check.succeeded(await one.write(path, "a0 b0\n"), "write of the first client", "E7");
  for (let n = 0; n < 4; n++) {
    const client = n % 2 === 0 ? two : one;
    check.succeeded(
      await client.edit(path, `a${n}`, `a${n + 1}`),
      `edit ${n}, which nothing overlaps`,
      "E7",
    );
    if (profile.multiEdit)
      check.succeeded(
        await (n % 2 === 0 ? one : two).multiEdit(path, [{ old: `b${n}`, new: `b${n + 1}` }]),
        `multiEdit ${n}, which nothing overlaps`,
        "E7",
      );
  }
  if (profile.move)
    check.succeeded(await two.move(path, `${path}.moved`), "move, which nothing overlaps", "M1");
  const end = profile.move ? `${path}.moved` : path;
  await context.holds({ [end]: profile.multiEdit ? "a4 b4\n" : "a4 b0\n" });
  if (profile.delete)
    check.succeeded(await one.delete(end), "delete, which nothing overlaps", "D1");
}

interface Race {
  readonly name: string;
  readonly rules: readonly [string, ...string[]];
  readonly needs: readonly string[];
  readonly why: string;
  readonly hint?: string;
  readonly run: (context: CaseContext, clients: Clients, round: number) => Promise<void>;
}

const RACES: readonly Race[] = [
  {
    name: "edit-against-move",
    rules: ["A7", "M2"],
    needs: ["move"],
    why: "An edit beside a move of its file is refused, or in the file wherever it is; the file is in one place.",
    hint: "Remove the source only at the version that was copied.",
    run: editAgainstMove,
  },
  {
    name: "moves-to-one-target",
    rules: ["M1", "A7"],
    needs: ["move"],
    why: "Of several files moved to one path one arrives, and the others stay where they were.",
    hint: "Create the destination with the storage's own condition.",
    run: (context, clients, round) => toOneTarget(context, clients, round, "move"),
  },
  {
    name: "copies-to-one-target",
    rules: ["M1", "A7"],
    needs: ["copy"],
    why: "Of several files copied to one path one arrives.",
    run: (context, clients, round) => toOneTarget(context, clients, round, "copy"),
  },
  {
    name: "create-against-move",
    rules: ["W4", "M1", "A7"],
    needs: ["move", "writeMode=create"],
    why: "Of a write and a move to one path one wins, and neither content is lost.",
    run: createAgainstMove,
  },
  {
    name: "changes-in-moving-directory",
    rules: ["A7", "M2"],
    needs: ["move"],
    why: "What is edited or made in a directory that moves is there afterwards, in one place.",
    hint: "Move file by file at the version that was read, and leave what changed or arrived meanwhile.",
    run: changesInMovingDirectory,
  },
  {
    name: "move-never-gone",
    rules: ["A7", "M2"],
    needs: ["move"],
    why: "A file that moves is never in neither place.",
    hint: "Remove the source once the destination is stored.",
    run: neverGone,
  },
  {
    name: "no-race-no-conflict",
    rules: ["E7", "A7"],
    needs: [],
    why: "Calls that nothing overlaps are not refused for a race.",
    hint: "A version that a client remembers must be asked for again.",
    run: noRaceNoConflict,
  },
];

function raceCase({ name, rules, needs, why, hint, run }: Race, across: boolean): Case {
  return {
    id: `${across ? "peer" : "conc"}/${name}`,
    rules,
    level: "safe",
    needs: [...needs, "consistency=strong", ...(across ? ["peer", "atomicity=clients"] : [])],
    patience: 2,
    why: across ? `Across two clients: ${why}` : why,
    ...(hint === undefined ? {} : { hint }),
    run: async (context) => {
      const clients: Clients = [context.backend, across ? await context.peer() : context.backend];
      for (const round of range(ROUNDS[context.tier])) {
        if (context.signal.aborted) return;
        context.transcript.clear();
        await run(context, clients, round);
      }
    },
  };
}

/** Races of moves, copies and what they meet, in one client and across two. */
export const relocationRaces: readonly Case[] = RACES.flatMap((one) => [
  raceCase(one, false),
  raceCase(one, true),
]);
