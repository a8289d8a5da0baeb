import type { Filesystem } from "@fs/protocol";
import { VolumeBackend, VolumeError } from "@fs/protocol/author";
import { expect } from "vitest";
import { HashVolume } from "./hash-volume.js";
import { Turns } from "./turns.js";

export type Change = (files: Filesystem) => Promise<{ code?: string | undefined }>;

export const moved = (from: string, to: string, overwrite = true): Change => {
  return async (files) => (await files.move?.(from, to, { overwrite })) ?? {};
};
export const copied = (from: string, to: string): Change => {
  return async (files) => (await files.copy?.(from, to, { overwrite: true })) ?? {};
};
export const removed: Change = async (files) => (await files.delete?.("/from")) ?? {};
export const uploaded = (path: string, text: string): Change => {
  return async (files) => {
    const [stored] = (await files.uploadFiles?.([[path, new TextEncoder().encode(text)]])) ?? [];
    return { code: stored?.code };
  };
};

/** As many calls of the storage as a move makes, and more. */
const CALLS = 14;

export interface Meeting {
  readonly files: Readonly<Record<string, string>>;
  readonly changes: readonly [Change, Change];
  /** What another client does as soon as the first is stopped. */
  readonly third?: Change;
  /** Where nothing can be stored. */
  readonly closed?: string;
}

/** How many calls the first makes, then the second, then the first, before both go on to their ends. */
type Moment = readonly [first: number, second: number, then: number];

/** What the two clients answer, and the files that they leave. */
async function met(
  { files, changes, third, closed }: Meeting,
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
  await third?.(owner);
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

export async function outcomes(
  meeting: Meeting,
  named: boolean,
  counts: (moment: Moment) => boolean = () => true,
): Promise<string[]> {
  const all = moments(named).filter(counts);
  const seen = await Promise.all(all.map((moment) => met(meeting, named, moment)));
  return [...new Set(seen)].toSorted();
}

/** With nothing but hashes some answers depend on how long a client was stopped: those that are right, of which not all have to come. */
export function expectOutcomes(
  seen: readonly string[],
  named: boolean,
  expected: readonly string[],
): void {
  const sorted = [...new Set(expected)].toSorted();
  if (named) expect([...new Set(seen)].toSorted()).toEqual(sorted);
  else expect(sorted).toEqual(expect.arrayContaining([...seen]));
}
