import type { RecordedCalls } from "./recorded-calls.js";

/** Milliseconds for which the workers append to one log, so that it stays small. */
const LOG_MS = 4000;
/** Milliseconds for which the workers race for the same paths. */
const RACE_MS = 1500;

const pick = (chance: number): boolean => Math.random() < chance;

/** Names that no other episode of any process uses. */
function* namesOf(stream: string): Generator<{ folder: string; token: (what: string) => string }> {
  for (let n = 0; ; n++)
    yield {
      folder: `/own/${stream}/${n}`,
      token: (what) => `[${stream}.${n}.${what}]`,
    };
}

/**
 * Runs one episode after the other until it is over: files of its own through all that can happen to one, trees, logs that
 * all processes append to, and paths that all of them want.
 */
export async function runEpisodes(
  calls: RecordedCalls,
  pause: () => Promise<void>,
  over: AbortSignal,
): Promise<void> {
  const names = namesOf(calls.stream);
  const kinds = [life, tree, append, append, race];
  for (const name of names) {
    if (over.aborted) return;
    const episode = kinds[Math.floor(Math.random() * kinds.length)] ?? life;
    await episode(calls, name);
    await pause();
  }
}

type Name = { readonly folder: string; readonly token: (what: string) => string };

/** A file from its creation to its end. What became of a change is unknown from the first such answer on: it is left alone. */
async function life(calls: RecordedCalls, { folder, token }: Name): Promise<void> {
  const [path, other] = [`${folder}/file`, `${folder}/other`];
  if ((await calls.make({ op: "create", path, token: token("first") })) !== "done") return;
  if (pick(0.5)) await calls.make({ op: "read", path });
  if (pick(0.3)) {
    if ((await calls.make({ op: "delete", path })) === "refused") return;
    // Whatever became of the removal, a new file at the same path stays.
    await calls.make({ op: "create", path, token: token("again") });
    await calls.make({ op: "read", path });
    return;
  }
  const edit = { op: "edit", path, before: token("first"), token: token("edited") } as const;
  if (pick(0.5) && (await calls.make(edit)) !== "done") return;
  if (pick(0.2) && (await calls.make({ op: "copy", path, to: other })) !== "done") return;
  const target = `${folder}/moved`;
  if ((await calls.make({ op: "move", path, to: target })) !== "done") return;
  await calls.make({ op: "read", path: target });
  await calls.make({ op: "list", path: folder });
  if (pick(0.7)) await calls.make({ op: "delete", path: target });
}

/** A directory that moves. */
async function tree(calls: RecordedCalls, { folder, token }: Name): Promise<void> {
  const names = ["a", "b/c", "b/d"];
  const [path, to] = [`${folder}/from`, `${folder}/to`];
  for (const name of names) {
    const file = `${path}/${name}`;
    if ((await calls.make({ op: "create", path: file, token: token(name) })) !== "done") return;
  }
  if ((await calls.make({ op: "move", path, to, names })) !== "done") return;
  for (const name of names) await calls.make({ op: "read", path: `${to}/${name}` });
  await calls.make({ op: "list", path: folder });
}

/** A line in a log that every process appends to. */
async function append(calls: RecordedCalls, { token }: Name): Promise<void> {
  const path = `/logs/${Math.floor(Date.now() / LOG_MS)}`;
  await calls.make({ op: "open", path });
  for (const what of ["one", "two"]) await calls.make({ op: "append", path, token: token(what) });
}

/** A path that every process wants to create. */
async function race(calls: RecordedCalls, { token }: Name): Promise<void> {
  const path = `/race/${Math.floor(Date.now() / RACE_MS)}`;
  await calls.make({ op: "race", path, token: token("race") });
  await calls.make({ op: "read", path });
}
