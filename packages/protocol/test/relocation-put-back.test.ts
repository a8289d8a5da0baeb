import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { VolumeBackend, VolumeError } from "@fs/protocol/author";
import { describe, expect, test } from "vitest";
import { setTimeout as delay } from "node:timers/promises";
import { HashVolume } from "./hash-volume.js";

/** Longer than a tick of the clock. */
const STALLED_MS = 1200;

interface Met {
  /** What is there at first. */
  readonly files: Readonly<Record<string, string>>;
  /** Called right before or after a file was removed, with what other clients change. */
  readonly before?: (volume: HashVolume, path: string) => Promise<unknown>;
  readonly after?: (volume: HashVolume, path: string) => Promise<unknown>;
  /** Called before a file is looked at, from when the first one was removed. */
  readonly looked?: () => void;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A client of a storage whose versions are hashes, and which names its writes, and another one of the same. */
async function clients({ files, before, after, looked }: Met): Promise<{
  mover: VolumeBackend;
  owner: VolumeBackend;
}> {
  const volume = new HashVolume();
  Object.assign(volume, { named: true });
  const owner = new VolumeBackend(volume);
  for (const [path, text] of Object.entries(files)) await owner.write(path, text);
  let isRemoved = false;
  const met = new VolumeBackend({
    get: async (path) => volume.get(path),
    put: async (path, content, condition) => volume.put(path, content, condition),
    list: (path, query) => volume.list(path, query),
    stat: async (path) => {
      if (isRemoved) looked?.();
      return volume.stat(path);
    },
    remove: async (path, condition) => {
      if (!isRemoved) await before?.(volume, path);
      const removed = await volume.remove(path, condition);
      if (!isRemoved) await after?.(volume, path);
      isRemoved = true;
      return removed;
    },
  });
  return { mover: met, owner };
}

async function contents(owner: VolumeBackend): Promise<Record<string, unknown>> {
  const paths = (await owner.glob("**")).files?.map(({ path }) => path) ?? [];
  const read = paths.map(async (path) => [path, (await owner.read(path)).content] as const);
  return Object.fromEntries(await Promise.all(read));
}

const SAME = { "/a": "same", "/b": "same" };
const over = { overwrite: true };

describe("a copy over the same content that is gone once its source is", () => {
  test("is stored where the source was (M10)", async () => {
    const { mover, owner } = await clients({
      files: SAME,
      after: (volume) => volume.remove("/b", {}),
    });
    expect(await mover.move("/a", "/b", over)).toMatchObject({ code: "conflict" });
    expect(await contents(owner)).toEqual({ "/a": "same" });
  });

  test("is stored at its place again where another file has taken that of the source", async () => {
    const { mover, owner } = await clients({
      files: SAME,
      after: async (volume) => {
        await volume.remove("/b", {});
        await volume.put("/a", bytes("new"), {});
      },
    });
    expect(await mover.move("/a", "/b", over)).toEqual({ path: "/b", files: 1 });
    expect(await contents(owner)).toEqual({ "/a": "new", "/b": "same" });
  });

  test("has been moved back where the same file is at the source again", async () => {
    const { mover, owner } = await clients({
      files: SAME,
      after: async (volume) => {
        await volume.remove("/b", {});
        await volume.put("/a", bytes("same"), {});
      },
    });
    expect(await mover.move("/a", "/b", over)).toEqual({ path: "/b", files: 1 });
    expect(await contents(owner)).toEqual({ "/a": "same" });
  });

  test("is in doubt where the storage does not say whether it is there", async () => {
    const { mover } = await clients({
      files: SAME,
      looked: () => {
        throw new VolumeError("unavailable");
      },
    });
    const answer = await mover.move("/a", "/b", over);
    expect(answer.code).toBe("unavailable");
    expect(answer.error).toContain("Look at both paths");
  });
});

describe("a removal that took longer than a tick of the clock", () => {
  const stalled = (volume: HashVolume): Promise<unknown> =>
    delay(STALLED_MS).then(() => volume.remove("/b", {}));

  test("is put back where the copy is gone, because it may have been the last (M10)", async () => {
    const { mover, owner } = await clients({ files: { "/a": "one" }, before: stalled });
    const answer = await mover.move("/a", "/b");
    expect(answer).toMatchObject({ code: "unavailable" });
    expect(answer.error).toContain("was stored again at '/a'");
    expect(await contents(owner)).toEqual({ "/a": "one" });
  });

  test("is put back as well where only the storage of the source names its writes", async () => {
    const elsewhere = new MemoryBackend();
    const { mover, owner } = await clients({
      files: { "/a": "one" },
      before: () => delay(STALLED_MS).then(() => elsewhere.delete("/b")),
    });
    const all = new CompositeBackend(mover, { "/else/": elsewhere });
    expect(await all.move("/a", "/else/b")).toMatchObject({ code: "unavailable" });
    expect(await contents(owner)).toEqual({ "/a": "one" });
  });

  test("is a move where the copy is there", async () => {
    const { mover, owner } = await clients({
      files: { "/a": "one" },
      before: () => delay(STALLED_MS),
    });
    expect(await mover.move("/a", "/b")).toEqual({ path: "/b", files: 1 });
    expect(await contents(owner)).toEqual({ "/b": "one" });
  });

  test("that took no longer since a look at its source costs no look at its copy", async () => {
    const looked: string[] = [];
    const volume = new HashVolume();
    Object.assign(volume, { named: true });
    const owner = new VolumeBackend(volume);
    for (const name of ["a", "b"]) await owner.write(`/d/${name}`, name);
    const [put, stat, remove] = [
      volume.put.bind(volume),
      volume.stat.bind(volume),
      volume.remove.bind(volume),
    ];
    let isCopied = false;
    volume.put = async (path, ...rest) => {
      const stored = await put(path, ...rest);
      if (path === "/e/b") await delay(STALLED_MS);
      return stored;
    };
    volume.remove = async (path, condition) => {
      isCopied = true;
      return remove(path, condition);
    };
    volume.stat = async (path) => {
      if (isCopied && path.startsWith("/e/")) looked.push(path);
      return stat(path);
    };
    expect(await new VolumeBackend(volume).move("/d", "/e")).toEqual({ path: "/e", files: 2 });
    expect(looked).toEqual([]);
  });

  test("of a file of a directory, of which no content is kept, is in doubt", async () => {
    const { mover } = await clients({
      files: { "/d/a": "one" },
      before: (volume) => delay(STALLED_MS).then(() => volume.remove("/e/a", {})),
    });
    expect(await mover.move("/d", "/e")).toMatchObject({ code: "unavailable" });
  });
});

describe("a source that was read long before its removal", () => {
  const late = { "/d/a": "one", "/d/b": "two" };

  test("stays where another client has stored the same there meanwhile (M5)", async () => {
    const volume = new HashVolume();
    Object.assign(volume, { named: true });
    const owner = new VolumeBackend(volume);
    for (const [path, text] of Object.entries(late)) await owner.write(path, text);
    const put = volume.put.bind(volume);
    volume.put = async (path, ...rest) => {
      const stored = await put(path, ...rest);
      if (path === "/e/b") {
        await put("/d/a", bytes("one"), {});
        await delay(STALLED_MS);
      }
      return stored;
    };
    expect(await new VolumeBackend(volume).move("/d", "/e")).toMatchObject({ code: "conflict" });
    expect(await contents(owner)).toEqual({ "/d/a": "one", "/e/b": "two" });
  });
});
