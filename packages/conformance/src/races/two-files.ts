import { setImmediate as turn } from "node:timers/promises";
import type { CaseContext } from "../engine/case-context.js";
import { NotApplicable } from "../engine/check-failure.js";
import { hasFailed } from "../engine/checker.js";
import type { GuardedBackend } from "../engine/guard.js";
import { race, range, staggered } from "./race.js";
import { type Clients, placesOf } from "./relocations.js";

const UNITS = 6;
/** Attempts at one change before a client counts as refused for good: more than there are others' changes to lose to. */
const MAX_ATTEMPTS = 4 * UNITS;

interface Counter {
  readonly count: number;
  readonly version: string;
}

async function counterAt(
  context: CaseContext,
  backend: GuardedBackend,
  path: string,
): Promise<Counter> {
  const { content, version, ...rest } = await backend.read(path);
  context.check.succeeded(rest, `read of ${path}`, "R1");
  if (version === undefined) throw new NotApplicable("read gives no 'version' of this file");
  return { count: Number(content), version };
}

/** Adds to a counter as its readers do: in the version that was read, and again where another was first. */
async function add(
  context: CaseContext,
  backend: GuardedBackend,
  path: string,
  amount: number,
): Promise<void> {
  for (const _ of range(MAX_ATTEMPTS)) {
    const { count, version } = await counterAt(context, backend, path);
    const result = await backend.write(path, String(count + amount), { ifVersion: version });
    if (!hasFailed(result)) return;
    context.check.failed(result, "conflict", `write of ${path} in a version that was read`, "W5");
  }
  context.check.that(
    false,
    `${path} was read and written in the version that was read ${MAX_ATTEMPTS} times, and each time refused.`,
    "W5",
  );
}

/**
 * Units that go from one file to another, each by two writes on a condition: none is lost or made, and a reader who looks at
 * the second file first never sees more than there are.
 */
export async function transfers(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const [before, after] = placesOf("w", round);
  const [from, to] = [`${before}/from.txt`, `${after}/to.txt`];
  await context.given({ [from]: String(UNITS), [to]: "0" });
  const transferring = { left: UNITS };
  const look = async (): Promise<void> => {
    while (transferring.left > 0) {
      const { count: arrived } = await counterAt(context, one, to);
      const { count: remaining } = await counterAt(context, one, from);
      context.check.that(
        arrived + remaining <= UNITS,
        `${arrived} of ${UNITS} units were in the second file, and then ${remaining} still in the first.`,
        "A7",
      );
      await turn();
    }
  };
  const transfer = async (client: GuardedBackend): Promise<void> => {
    try {
      await add(context, client, from, -1);
      await add(context, client, to, 1);
    } finally {
      transferring.left--;
    }
  };
  await race([
    look,
    ...range(UNITS).map((n) => () => staggered(round, n, () => transfer(n % 2 === 0 ? one : two))),
  ]);
  for (const client of [one, two])
    await context.holds({ [from]: "0", [to]: String(UNITS) }, client, "A7");
}

/**
 * Two files that are moved over a third while another client looks: the third is never gone, and what has left its place has
 * arrived. What was acknowledged has moved; what was refused is where it was.
 */
export async function movesOverOne(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const [before, after] = placesOf("o", round);
  const to = `${after}/to.txt`;
  const sources = [`${before}/first.txt`, `${before}/second.txt`] as const;
  await context.given({ [sources[0]]: "first", [sources[1]]: "second", [to]: "old" });
  const moving = { left: 2 };
  const look = async (): Promise<void> => {
    while (moving.left > 0) {
      const gone = hasFailed(await one.read(sources[round % 2] ?? sources[0]));
      const { content, ...rest } = await one.read(to);
      context.check.succeeded(rest, "read of what others are moved over", "A7");
      context.check.that(
        ["first", "second", ...(gone ? [] : ["old"])].includes(String(content)),
        `${gone ? "A file had left its place, and then" : "While files were moved over it,"} the destination held ${JSON.stringify(content)}.`,
        "A7",
      );
      await turn();
    }
  };
  const move = async (client: GuardedBackend, from: string): Promise<boolean> => {
    try {
      return !hasFailed((await client.call("move", [from, to, { overwrite: true }])) as object);
    } finally {
      moving.left--;
    }
  };
  const [, ...moved] = await race<boolean | void>([
    look,
    () => staggered(round, 0, () => move(two, sources[0])),
    () => staggered(round, 1, () => move(one, sources[1])),
  ]);
  const names = ["first", "second"].filter((_, n) => moved[n] === true);
  const { content } = await one.read(to);
  context.check.that(
    (names.length === 0 ? ["old"] : names).includes(String(content)),
    `${names.length === 0 ? "No move" : `The move of ${names.join(" and ")}`} was acknowledged, and the destination holds ${JSON.stringify(content)}.`,
    "M4",
  );
  const stayed = sources.map((path, n): [string, string | null] => [
    path,
    moved[n] === true ? null : (["first", "second"][n] ?? null),
  ]);
  for (const client of [one, two]) await context.holds(Object.fromEntries(stayed), client, "A7");
}
