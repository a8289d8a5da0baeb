import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import {
  listingOf,
  VolumeBackend,
  type Listing,
  type ListQuery,
  type VolumeEntry,
  type VolumeFile,
} from "@fs/protocol/author";
import { expect, test } from "vitest";

const FILES = 3000;
const content = new TextEncoder().encode("needle\n");
const paths = Array.from({ length: FILES }, (_, i) => `/d${i % 40}/f${i}.txt`);

/** Counts what a search asks for. */
class CountingVolume extends MemoryVolume {
  override readonly listsInOrder: boolean;
  listed = 0;
  read = 0;

  constructor(listsInOrder: boolean) {
    super();
    this.listsInOrder = listsInOrder;
  }

  override async get(path: string): Promise<VolumeFile | undefined> {
    this.read++;
    return super.get(path);
  }

  override list(directory: string, query: ListQuery): Listing {
    const inner = super.list(directory, query);
    const counted = (batch: readonly VolumeEntry[]): readonly VolumeEntry[] => {
      this.listed += batch.length;
      return this.listsInOrder ? batch : batch.toReversed();
    };
    return listingOf(async function* () {
      for await (const batch of inner.batches?.() ?? []) yield counted(batch);
    });
  }
}

async function filled(volume: MemoryVolume): Promise<VolumeBackend> {
  const backend = new VolumeBackend(volume);
  await backend.uploadFiles(paths.map((path) => [path, content]));
  return backend;
}

test("a capped search leaves a listing in order once it has enough", async () => {
  const volume = new CountingVolume(true);
  const backend = await filled(volume);
  volume.read = 0;
  const { matches, truncated } = await backend.grep("needle", "/", null, 10);
  expect(matches?.map(({ path }) => path)).toEqual(paths.toSorted().slice(0, 10));
  expect(truncated).toBe(true);
  expect(volume.read).toBe(16);
  expect(volume.listed).toBeLessThan(FILES / 2);
});

test("a listing in another order is read to its end", async () => {
  const volume = new CountingVolume(false);
  const backend = await filled(volume);
  volume.read = 0;
  const { matches } = await backend.grep("needle", "/", null, 10);
  expect(matches?.map(({ path }) => path)).toEqual(paths.toSorted().slice(0, 10));
  expect(volume.read).toBe(16);
  expect(volume.listed).toBe(FILES);
});

test.each([true, false])("all is found in order, listed in order: %s", async (inOrder) => {
  const backend = await filled(new CountingVolume(inOrder));
  const { matches, truncated } = await backend.grep("needle");
  expect(matches?.map(({ path }) => path)).toEqual(paths.toSorted());
  expect(truncated).toBeUndefined();
});

test("memory finds what lies beside a directory of nearly its name in the order of paths", async () => {
  const backend = new MemoryBackend();
  const named = ["/a/x", "/a-b", "/a.txt", "/a/b/c", "/a0", "/a/b-c", "/a/b.txt"];
  await backend.uploadFiles(named.map((path) => [path, content]));
  for (const cap of [1, 3, 7]) {
    const { matches } = await backend.grep("needle", "/", null, cap);
    expect(matches?.map(({ path }) => path)).toEqual(named.toSorted().slice(0, cap));
  }
});

test("a name that becomes the other kind while it is listed is left out", async () => {
  const volume = new MemoryVolume();
  const first = Array.from({ length: 600 }, (_, i) => `/0/${String(i).padStart(3, "0")}`);
  for (const path of [...first, "/a/x", "/b", "/c"]) await volume.put(path, content, {});
  const listed: string[] = [];
  for await (const { path } of volume.list("/", { deep: true })) {
    if (listed.push(path) > 1) continue;
    await volume.remove("/a/x", {});
    await volume.put("/a", content, {});
    await volume.remove("/b", {});
    await volume.put("/b/y", content, {});
  }
  expect(listed).toEqual([...first, "/c"]);
});
