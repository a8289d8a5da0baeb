import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import { listingOf, VolumeBackend, type Listing, type VolumeEntry } from "@fs/protocol/author";
import { describe, expect, test } from "vitest";
import { fewestPromisesOf } from "./count-promises.js";

const CALLS: Record<string, (backend: MemoryBackend) => Promise<unknown>> = {
  ls: (backend) => backend.ls("/d"),
  "glob of a directory": (backend) => backend.glob("*", "/d"),
  "glob at any depth": (backend) => backend.glob("**/1*"),
};

async function filled(files: number): Promise<MemoryBackend> {
  const backend = new MemoryBackend();
  for (let i = 0; i < files; i++) await backend.write(`/d/${i}`, "one");
  return backend;
}

describe("a listing in batches", () => {
  test.each(Object.entries(CALLS))("costs no promise for an entry in %s", async (_, call) => {
    const counts = [];
    for (const files of [1, 10, 300]) {
      const backend = await filled(files);
      counts.push(await fewestPromisesOf(() => call(backend)));
    }
    expect(counts[1]).toBe(counts[0]);
    expect(counts[2]).toBe(counts[0]);
  });

  test("has every entry of all its batches, one by one as well", async () => {
    const entries = Array.from({ length: 9 }, (_, i) => ({ path: `/${i}`, kind: "file" as const }));
    const listing = listingOf(async function* () {
      for (let at = 0; at < entries.length; at += 4) yield entries.slice(at, at + 4);
      yield [];
    });
    const single: VolumeEntry[] = [];
    for await (const entry of listing) single.push(entry);
    expect(single).toEqual(entries);
    const backend = new VolumeBackend(new Listed(listing));
    expect((await backend.ls("/")).files?.map(({ path }) => path)).toEqual(
      entries.map(({ path }) => path),
    );
  });

  test("that is longer than one batch of the memory is whole", async () => {
    const backend = new MemoryBackend();
    const paths = Array.from({ length: 10_000 }, (_, i) => `/d/${String(i).padStart(5, "0")}`);
    await backend.uploadFiles(paths.map((path) => [path, new Uint8Array()]));
    expect((await backend.ls("/d")).files?.map(({ path }) => path)).toEqual(paths);
    expect((await backend.glob("**")).files?.map(({ path }) => path)).toEqual(paths);
  });

  test("of which the first batches are empty still shows that a directory is there", async () => {
    const listing = listingOf(async function* () {
      yield [];
      yield [{ path: "/d/file", kind: "file" as const }];
    });
    const backend = new VolumeBackend(new Listed(listing));
    expect(await backend.read("/d")).toMatchObject({ code: "is_directory" });
  });
});

/** A volume with one listing for everything. */
class Listed extends MemoryVolume {
  readonly #listing: Listing;

  constructor(listing: Listing) {
    super();
    this.#listing = listing;
  }

  override list(): Listing {
    return this.#listing;
  }
}
