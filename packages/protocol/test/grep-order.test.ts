import {
  type GrepQuery,
  type GrepStream,
  type Volume,
  VolumeBackend,
  type VolumeHit,
} from "@fs/protocol/author";
import { describe, expect, test } from "vitest";
import { MemoryVolume } from "../src/memory/memory-volume.js";

const FILES = 6000;
const pathOf = (file: number): string => `/d${file % 7}/f${file}.txt`;
const hitsOf = (file: number): VolumeHit[] =>
  [3, 1, 2].map((line) => ({ path: pathOf(file), line, text: `line ${line}` }));
const expected = Array.from({ length: FILES }, (_, file) => file)
  .flatMap(hitsOf)
  .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));

/** A volume that finds the same in every search, in a given order of its files. */
function finding(batches: readonly (readonly VolumeHit[])[], asked: string[] = []): VolumeBackend {
  const volume: Volume = new MemoryVolume();
  const grep = async (query: GrepQuery): Promise<GrepStream> => {
    const accepts = query.accepts.bind(query);
    Object.assign(query, {
      accepts: (path: string) => {
        asked.push(path);
        return accepts(path);
      },
    });
    async function* inBatches(): AsyncGenerator<readonly VolumeHit[]> {
      yield* batches;
    }
    return { sorted: false, batches: inBatches() };
  };
  return new VolumeBackend(Object.assign(volume, { grep }));
}

const shuffled = Array.from({ length: FILES }, (_, file) => (file * 3677) % FILES);

describe("hits that come in no order", () => {
  test("are answered by path and line, also with a cap", async () => {
    const backend = finding(shuffled.map(hitsOf));
    expect((await backend.grep("line")).matches).toEqual(expected);
    expect(await backend.grep("line", "/", null, 1000)).toEqual({
      matches: expected.slice(0, 1000),
      truncated: true,
    });
  });

  test("of one file may come in several batches", async () => {
    const hits = shuffled.map(hitsOf);
    const backend = finding(
      [0, 1, 2].flatMap((at) => hits.map((three) => three.slice(at, at + 1))),
    );
    expect((await backend.grep("line")).matches).toEqual(expected);
  });

  test("are filtered by one look at each file", async () => {
    const asked: string[] = [];
    const backend = finding(shuffled.map(hitsOf), asked);
    const found = await backend.grep("line", "/", "f1*.txt");
    expect(found.matches).toEqual(expected.filter(({ path }) => /\/f1\d*\.txt$/.test(path)));
    expect(asked.length).toBeLessThanOrEqual(FILES + 1);
  });
});
