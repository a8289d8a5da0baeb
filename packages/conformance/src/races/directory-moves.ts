import type { CaseContext } from "../engine/case-context.js";
import type { GuardedBackend } from "../engine/guard.js";
import { race, range, staggered } from "./race.js";
import { type Clients, placesOf, whileMoving } from "./relocations.js";

/** `ls`, `glob`, `grep` and reads. */
const VIEWS = 4;

const NAMES = range(6).map((n) => `f${n}.txt`);

/** The names of the files that a client finds in a directory, by one of its views; none where it is gone. */
async function namesIn(client: GuardedBackend, directory: string, view: number): Promise<string[]> {
  const found = async (): Promise<ReadonlyArray<{ path: string }>> => {
    if (view === 0) return (await client.ls(directory)).files ?? [];
    if (view === 1) return (await client.glob("*", directory)).files ?? [];
    if (view === 2) return (await client.grep("here", directory)).matches ?? [];
    const paths = NAMES.map((name) => `${directory}/${name}`);
    const reads = await Promise.all(paths.map((path) => client.read(path)));
    return paths.flatMap((path, n) => (reads[n]?.content === "here\n" ? [{ path }] : []));
  };
  return (await found()).map(({ path }) => path.slice(directory.length + 1));
}

/** A reader that looks where a directory was, and then where it goes, finds each of its files. */
export async function directoryNeverGone(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const [before, after] = placesOf("g", round);
  const [from, to] = [`${before}/from`, `${after}/to`];
  await context.given(Object.fromEntries(NAMES.map((name) => [`${from}/${name}`, "here\n"])));
  let view = round;
  await whileMoving(context, round, two, [from, to], async () => {
    const first = await namesIn(one, from, view % VIEWS);
    const second = await namesIn(one, to, view % VIEWS);
    view++;
    const seen = new Set([...first, ...second]);
    context.check.equal(
      NAMES.filter((name) => !seen.has(name)),
      [],
      "The files that are neither where a directory was nor, looked at after that, where it moves",
      "A7",
    );
  });
  await context.holds(
    Object.fromEntries(
      NAMES.flatMap((name): Array<[string, string | null]> => [
        [`${from}/${name}`, null],
        [`${to}/${name}`, "here\n"],
      ]),
    ),
  );
}

/** M5: of a directory that two clients move to two places each file arrives in one of them, or stays. */
export async function directoryToTwoPlaces(
  context: CaseContext,
  [one, two]: Clients,
  round: number,
): Promise<void> {
  const [before, after] = placesOf("h", round);
  const places = [`${before}/from`, `${before}/one`, `${after}/two`] as const;
  const [from, first, second] = places;
  await context.given(Object.fromEntries(NAMES.map((name) => [`${from}/${name}`, "here\n"])));
  const answers = await race([
    () => staggered(round, 0, () => one.move(from, first)),
    () => staggered(round, 1, () => two.move(from, second)),
  ]);
  const said = answers.map((answer) => answer.code ?? "acknowledged").join(" and ");
  const { files = [] } = await one.glob("**", "/");
  const found = files.map(({ path }) => path);
  const copies = NAMES.map((name) => places.filter((place) => found.includes(`${place}/${name}`)));
  context.check.equal(
    copies.map(({ length }) => length),
    NAMES.map(() => 1),
    `The places of each file of a directory that was moved to two at once (${said})`,
    "M5",
  );
}
