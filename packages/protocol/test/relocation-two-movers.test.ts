import type { Filesystem } from "@fs/protocol";
import { VolumeBackend, VolumeError } from "@fs/protocol/author";
import { describe, expect, test } from "vitest";
import { HashVolume } from "./hash-volume.js";
import { Turns } from "./turns.js";

type Change = (files: Filesystem) => Promise<{ code?: string | undefined }>;

const moved = (from: string, to: string, overwrite = true): Change => {
  return async (files) => (await files.move?.(from, to, { overwrite })) ?? {};
};
const over = moved("/from", "/to");
const onto = moved("/from", "/to", false);
const removed: Change = async (files) => (await files.delete?.("/from")) ?? {};
const uploaded = (path: string, text: string): Change => {
  return async (files) => {
    const [stored] = (await files.uploadFiles?.([[path, new TextEncoder().encode(text)]])) ?? [];
    return { code: stored?.code };
  };
};

/** As many calls of the storage as a move makes, and more. */
const CALLS = 14;

interface Meeting {
  readonly files: Readonly<Record<string, string>>;
  readonly changes: readonly [Change, Change];
  /** Where nothing can be stored. */
  readonly closed?: string;
}

/** How many calls the first makes, then the second, then the first, before both go on to their ends. */
type Moment = readonly [first: number, second: number, then: number];

/** What the two clients answer, and the files that they leave. */
async function met(
  { files, changes, closed }: Meeting,
  named: boolean,
  [before, among, then]: Moment,
): Promise<string> {
  const volume = new HashVolume();
  Object.assign(volume, { named, collisions: "allowed" });
  const owner = new VolumeBackend(volume);
  for (const [path, text] of Object.entries(files)) await owner.write(path, text);
  const put = volume.put.bind(volume);
  volume.put = async (path, ...rest) => {
    if (path === closed) throw new VolumeError("permission_denied");
    return put(path, ...rest);
  };
  const [one, two] = [new Turns(), new Turns()];
  const first = changes[0](new VolumeBackend(one.over(volume)));
  const second = changes[1](new VolumeBackend(two.over(volume)));
  await one.give(before, first);
  await two.give(among, second);
  await one.give(then, first);
  await two.give(Infinity, second);
  await one.give(Infinity, first);
  const codes = [await first, await second].map(({ code = "done" }) => code);
  const paths = (await owner.glob("**")).files?.map(({ path }) => path) ?? [];
  const left = await Promise.all(
    paths.map(async (path) => `${path} ${String((await owner.read(path)).content)}`),
  );
  return `${codes.join(", ")}: ${left.join(", ")}`;
}

/** Where each of them is stopped between any two of its calls. Where only hashes are there, each move waits for a tick of the clock. */
function moments(named: boolean): Moment[] {
  const calls = [...Array(CALLS).keys()];
  const then = named ? [...calls, Infinity] : [0, Infinity];
  return calls.flatMap((a) => calls.flatMap((b) => then.map((c): Moment => [a, b, c])));
}

async function outcomes(
  meeting: Meeting,
  named: boolean,
  counts: (moment: Moment) => boolean = () => true,
): Promise<string[]> {
  const all = moments(named).filter(counts);
  const seen = await Promise.all(all.map((moment) => met(meeting, named, moment)));
  return [...new Set(seen)].toSorted();
}

/** With nothing but hashes some answers depend on how long a client was stopped: those that are right, of which not all have to come. */
function expectOutcomes(
  seen: readonly string[],
  named: boolean,
  expected: readonly string[],
): void {
  const sorted = [...new Set(expected)].toSorted();
  if (named) expect([...new Set(seen)].toSorted()).toEqual(sorted);
  else expect(sorted).toEqual(expect.arrayContaining([...seen]));
}

const FILES = { "/from": "moved", "/to": "old" };

describe.each([
  { named: true, storage: "names its writes" },
  { named: false, storage: "has nothing but hashes" },
])("of two clients of a storage that $storage, each stopped between any two calls", ({ named }) => {
  /** What the late one answers, with what it leaves; with hashes alone also as if it had seen all. */
  const either = (right: readonly string[], unclear: readonly string[]): readonly string[] =>
    named ? right : [...right, ...unclear];

  test("that move one file over another one, one has moved it, and it is there (M6, A7)", async () => {
    const seen = await outcomes({ files: FILES, changes: [over, over] }, named);
    expectOutcomes(seen, named, [
      "done, not_found: /to moved",
      "not_found, done: /to moved",
      ...either(
        ["conflict, done: /to moved", "done, conflict: /to moved"],
        ["unavailable, done: /to moved", "done, unavailable: /to moved"],
      ),
    ]);
  });

  test("of which one may only create, neither takes back what the other has moved", async () => {
    const files = { "/from": "moved" };
    const seen = [
      ...(await outcomes({ files, changes: [onto, over] }, named)),
      ...(await outcomes({ files, changes: [over, onto] }, named)),
    ];
    expectOutcomes(seen, named, [
      "already_exists, done: /to moved",
      "done, already_exists: /to moved",
      "done, not_found: /to moved",
      "not_found, done: /to moved",
      ...either(
        ["conflict, done: /to moved", "done, conflict: /to moved"],
        ["unavailable, done: /to moved", "done, unavailable: /to moved"],
      ),
    ]);
  });

  test("of which one moves it elsewhere, what was replaced is restored, or the copy stays (M5, M6)", async () => {
    const changes = [over, moved("/from", "/else")] as const;
    expectOutcomes(await outcomes({ files: FILES, changes }, named), named, [
      "done, not_found: /to moved",
      "not_found, done: /else moved, /to old",
      ...either(
        ["conflict, done: /else moved, /to old", "done, conflict: /to moved"],
        ["done, unavailable: /else moved, /to moved", "unavailable, done: /else moved, /to moved"],
      ),
    ]);
  });

  test("of which one removes it, what was replaced is restored, or the copy stays (M5, M6)", async () => {
    expectOutcomes(await outcomes({ files: FILES, changes: [over, removed] }, named), named, [
      "done, not_found: /to moved",
      "not_found, done: /to old",
      ...either(["conflict, done: /to old"], ["unavailable, done: /to moved"]),
    ]);
  });

  test("of which one changes it, what was replaced is restored (M5)", async () => {
    const changes = [over, uploaded("/from", "new")] as const;
    expect(await outcomes({ files: FILES, changes }, named)).toEqual([
      "conflict, done: /from new, /to old",
      "done, done: /from new, /to moved",
      "done, done: /to new",
    ]);
  });

  test.each(["moved", "stored"])("of which one stores %j at the destination", async (text) => {
    const changes = [over, uploaded("/to", text)] as const;
    const seen = await outcomes({ files: FILES, changes }, named);
    const expected = [...new Set(["done, done: /to moved", `done, done: /to ${text}`])];
    expect(seen).toEqual(expected);
  });

  test("of which one fails to move a directory, the other has moved a file of it (M2, M6)", async () => {
    const files = { "/d/a": "moved", "/d/b": "stuck", "/to/a": "old", "/to/b": "old" };
    const changes = [moved("/d", "/to"), moved("/d/a", "/to/a")] as const;
    // Right before the second removes its source it looks for the last time: what comes after that no storage without a change
    // of two files at once can see.
    const looked = named ? [7] : [7, 8];
    const seen = await outcomes(
      { files, changes, closed: "/to/b" },
      named,
      ([, among]) => !looked.includes(among),
    );
    expect(seen).toEqual([
      "permission_denied, conflict: /d/a moved, /d/b stuck, /to/a old, /to/b old",
      "permission_denied, done: /d/b stuck, /to/a moved, /to/b old",
    ]);
  });
});
