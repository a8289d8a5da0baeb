import type { CaseContext, Content } from "../engine/case-context.js";
import type { GuardedBackend } from "../engine/guard.js";
import { hasFailed } from "../engine/checker.js";
import { lookingBeside, race, range, staggered } from "./race.js";

/** Two clients of the same files, or one of them twice. */
export type Clients = readonly [GuardedBackend, GuardedBackend];

function textOf(content: Content | undefined): string | undefined {
  return content instanceof Uint8Array ? new TextDecoder().decode(content) : content;
}

/** The contents of files as texts, without the backend under test. */
export async function textsOf(
  context: CaseContext,
  paths: readonly string[],
): Promise<Array<string | undefined>> {
  const found = await context.contents(paths);
  return paths.map((path) => textOf(found.get(path)));
}

/**
 * The directory that something leaves, and the one that it goes to: for four rounds the same, then another one at the top, which
 * storages keep apart.
 */
export function placesOf(name: string, round: number): [from: string, to: string] {
  const from = `/${name}${round}`;
  return [from, round % 8 < 4 ? from : `${from}-to`];
}

/** A1: what an acknowledged edit put into a moving file is in one of the two places, and the file in exactly one. */
export async function editAgainstMove(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const [before, after] = placesOf("e", round);
  const [from, to] = [`${before}/from.txt`, `${after}/to.txt`];
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
export async function toOneTarget(
  context: CaseContext,
  clients: Clients,
  round: number,
  method: "move" | "copy",
): Promise<void> {
  const [before, after] = placesOf(method, round);
  const sources = range(4).map((n) => `${before}/s${n}.txt`);
  const to = `${after}/target.txt`;
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
export async function createAgainstMove(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const [before, after] = placesOf("c", round);
  const [from, to] = [`${before}/from.txt`, `${after}/to.txt`];
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
export async function changesInMovingDirectory(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const names = range(8).map((n) => `f${n}.txt`);
  const [before, after] = placesOf("t", round);
  const [from, to] = [`${before}/from`, `${after}/to`];
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
export async function neverGone(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const [before, after] = placesOf("n", round);
  const [from, to] = [`${before}/from.txt`, `${after}/to.txt`];
  await context.given({ [from]: "here" });
  await whileMoving(context, round, two, [from, to], async () => {
    if (!hasFailed(await one.read(from))) return;
    const second = await one.read(to);
    context.check.equal(
      second.content,
      "here",
      "What is read where a file moved, once it is gone where it was",
      "A7",
    );
  });
  await context.holds({ [from]: null, [to]: "here" });
}

/** Looks again and again, until a client has moved something. */
export async function whileMoving(
  context: CaseContext,
  round: number,
  mover: GuardedBackend,
  [from, to]: readonly [string, string],
  look: () => Promise<void>,
): Promise<void> {
  await lookingBeside(context, look, async () => {
    const result = await staggered(round, 1, () => mover.move(from, to));
    context.check.succeeded(result, "move beside readers", "M1");
  });
}

/** Calls of two clients one after the other: nothing overlaps, and nothing may be refused for a race. */
export async function noRaceNoConflict(
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
