import fc from "fast-check";
import { expect, test } from "vitest";
import { as, contents, journalled, statuses } from "./journalled.js";

/** A state of a file: texts are all different, so that one names its version. `null`: there is no file. */
type State = string | null;

interface Made {
  readonly actor: string;
  readonly path: string;
  readonly before: State;
  readonly after: State;
}

const ACTORS = ["ann", "bob", "agent"];

const operations = fc.array(
  fc.record({
    /** `undefined`: a client that the journal does not see. */
    actor: fc.constantFrom(...ACTORS, ...ACTORS, undefined),
    path: fc.constantFrom("/a", "/b", "/c"),
    removes: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  }),
  { maxLength: 25 },
);

/** What an undo of an actor's changes of one file is to do: each change is on what the one before it left, or none goes back. */
function expected(own: readonly Made[], now: State): { status?: string; after: State } {
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return { after: now };
  const isBroken = own.some(({ after }, index) => {
    const next = own[index + 1];
    return next !== undefined && next.before !== after;
  });
  if (isBroken) return { status: "conflict", after: now };
  // Made and removed again by the same actor: there is nothing to do.
  if (first.before === last.after) return { after: now };
  if (now === last.after) return { status: "applied", after: first.before };
  return { status: now === first.before ? "already" : "conflict", after: now };
}

test("an undo of anybody's changes does what the rules say, and a redo takes it back (J6, J7)", async () => {
  await fc.assert(
    fc.asyncProperty(operations, fc.constantFrom(...ACTORS), async (steps, actor) => {
      const { base, files, journal } = journalled();
      const now = new Map<string, string>();
      const made: Made[] = [];
      for (const [index, step] of steps.entries()) {
        const { path, removes } = step;
        const before = now.get(path) ?? null;
        const after = removes ? null : `text ${index}`;
        if (before === null && after === null) continue;
        const target = step.actor === undefined ? base : files;
        await as(
          "1",
          async () => {
            if (after === null) await target.delete?.(path);
            else if (before === null) await target.write(path, after);
            else await target.edit(path, before, after);
          },
          step.actor,
        );
        if (after === null) now.delete(path);
        else now.set(path, after);
        if (step.actor !== undefined) made.push({ actor: step.actor, path, before, after });
      }
      expect(await contents(base)).toEqual(Object.fromEntries(now));
      const own = made.filter((one) => one.actor === actor);
      const undone = await journal.undo({ actor });
      if (own.length === 0) {
        expect(undone.code).toBe("not_found");
        return;
      }
      const outcomes = [...new Set(own.map(({ path }) => path))].map(
        (path) =>
          [
            path,
            expected(
              own.filter((one) => one.path === path),
              now.get(path) ?? null,
            ),
          ] as const,
      );
      const done = outcomes.flatMap(([path, { status }]) =>
        status === undefined ? [] : [[path, status]],
      );
      expect(statuses(undone)).toEqual(Object.fromEntries(done));
      const after = new Map<string, State>([
        ...now,
        ...outcomes.map(([path, one]) => [path, one.after] as const),
      ]);
      const left = [...after].filter(([, text]) => text !== null);
      expect(await contents(base)).toEqual(Object.fromEntries(left));
      if (undone.record === undefined) return;
      await journal.redo(undone.record);
      expect(await contents(base)).toEqual(Object.fromEntries(now));
    }),
    { numRuns: 150 },
  );
});
