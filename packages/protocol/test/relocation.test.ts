import { describe, expect, test } from "vitest";
import { CompositeBackend, MemoryBackend, MemoryVolume } from "@fs/protocol";
import {
  VolumeBackend,
  type PutCondition,
  type RemoveCondition,
  type Volume,
} from "@fs/protocol/author";

/** A volume whose next calls can be made to fail before or after their effect. */
class FragileVolume extends MemoryVolume implements Volume {
  afterRemove: (() => void) | undefined;
  beforeRemove: (() => void) | undefined;
  afterPut: ((path: string) => void) | undefined;

  override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
    const stored = await super.put(path, bytes, condition);
    this.afterPut?.(path);
    return stored;
  }

  override async remove(path: string, condition: RemoveCondition) {
    this.beforeRemove?.();
    const removed = await super.remove(path, condition);
    this.afterRemove?.();
    return removed;
  }
}

function lostAnswer(): never {
  throw new Error("socket hang up");
}

describe("where the storage does not say whether the source is gone", () => {
  test.each(["beforeRemove", "afterRemove"] as const)("nothing is undone (%s)", async (when) => {
    const volume = new FragileVolume();
    const files = new VolumeBackend(volume);
    await files.write("/a", "precious");
    volume[when] = lostAnswer;
    const moved = await files.move("/a", "/b");
    expect(moved.code).toBe("unavailable");
    expect(moved.error).toContain("may exist at both paths");
    expect((await files.read("/b")).content).toBe("precious");
  });

  test("nor between mounts, with what was replaced in place of the copy", async () => {
    const volume = new FragileVolume();
    const all = new CompositeBackend(new MemoryBackend(), {
      "/a/": new VolumeBackend(volume),
      "/b/": new MemoryBackend(),
    });
    await all.write("/a/f", "new");
    await all.write("/b/f", "old");
    volume.afterRemove = lostAnswer;
    const moved = await all.move("/a/f", "/b/f", { overwrite: true });
    expect(moved.code).toBe("unavailable");
    expect((await all.read("/b/f")).content).toBe("new");
  });
});

describe("a copy whose store was not answered", () => {
  test("leaves the source, and says what is not known", async () => {
    const volume = new FragileVolume();
    const files = new VolumeBackend(volume);
    await files.write("/a", "precious");
    volume.afterPut = lostAnswer;
    const moved = await files.move("/a", "/b");
    expect(moved.code).toBe("unavailable");
    expect(moved.error).toContain("is not known");
    expect((await files.read("/a")).content).toBe("precious");
  });
});

describe("a directory", () => {
  test("of which one file cannot be stored is taken back, and what was replaced is restored", async () => {
    const volume = new FragileVolume();
    const all = new CompositeBackend(new MemoryBackend(), {
      "/a/": new MemoryBackend(),
      "/b/": new VolumeBackend(volume, { maxFileBytes: 10 }),
    });
    await all.write("/a/d/small", "new");
    await all.write("/a/d/zzz-large", "far too large");
    await all.write("/b/d/small", "old");
    const moved = await all.move("/a/d", "/b/d", { overwrite: true });
    expect(moved.code).toBe("too_large");
    expect((await all.read("/b/d/small")).content).toBe("old");
    expect((await all.glob("**", "/a")).files).toHaveLength(2);
  });

  test("keeps what another call changed at the destination since", async () => {
    const volume = new FragileVolume();
    const target = new VolumeBackend(volume, { maxFileBytes: 30 });
    const all = new CompositeBackend(new MemoryBackend(), {
      "/a/": new MemoryBackend(),
      "/b/": target,
    });
    await all.write("/a/d/1", "one");
    await all.write("/a/d/2", "much larger than the destination takes");
    let edited: Promise<unknown> | undefined;
    volume.afterPut = (path) => {
      volume.afterPut = undefined;
      edited = target.edit(path, "one", "one, edited");
    };
    expect((await all.move("/a/d", "/b/d")).code).toBe("too_large");
    await edited;
    const { content } = await target.read("/d/1");
    // The edit was acknowledged, so it stays, unless the copy was taken back before it began.
    expect([undefined, "one, edited"]).toContain(content);
  });

  test("that cannot be listed completely is not moved at all", async () => {
    const foreign = new MemoryBackend();
    const all = new CompositeBackend(new MemoryBackend(), {
      "/a/": {
        ls: async (path: string) => ({ ...(await foreign.ls(path)), truncated: true }),
        read: foreign.read.bind(foreign),
        readRaw: foreign.readRaw.bind(foreign),
        write: foreign.write.bind(foreign),
        edit: foreign.edit.bind(foreign),
        grep: foreign.grep.bind(foreign),
        glob: foreign.glob.bind(foreign),
        delete: foreign.delete.bind(foreign),
        uploadFiles: foreign.uploadFiles.bind(foreign),
        downloadFiles: foreign.downloadFiles.bind(foreign),
      },
      "/b/": new MemoryBackend(),
    });
    await all.write("/a/d/1", "one");
    expect((await all.move("/a/d", "/b/d")).code).toBe("unavailable");
    expect((await all.glob("**", "/b")).files).toEqual([]);
    expect((await all.read("/a/d/1")).content).toBe("one");
  });
});

test("a move onto itself keeps the only copy where the backend names no features", async () => {
  const inner = new MemoryBackend();
  const unnamed = new Proxy(inner, {
    get(target, name) {
      const member: unknown = name === "features" ? undefined : Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": unnamed, "/b/": unnamed });
  await all.write("/a/f", "the only copy");
  expect((await all.move("/a/f", "/b/f", { overwrite: true })).code).toBe("conflict");
  expect((await inner.read("/f")).content).toBe("the only copy");
});

test("a thousand files across mounts cost batches", async () => {
  const calls = new Map<string, number>();
  const counting = (backend: MemoryBackend): MemoryBackend =>
    new Proxy(backend, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        calls.set(String(name), (calls.get(String(name)) ?? 0) + 1);
        return member.bind(target);
      },
    });
  const source = new MemoryBackend();
  await source.uploadFiles(
    Array.from({ length: 1000 }, (_, n) => [`/d/${n}.txt`, new Uint8Array([n % 256])]),
  );
  const all = new CompositeBackend(new MemoryBackend(), {
    "/a/": counting(source),
    "/b/": counting(new MemoryBackend()),
  });
  expect((await all.copy("/a/d", "/b/d")).files).toBe(1000);
  expect(calls.get("downloadFiles")).toBeLessThanOrEqual(10);
  expect(calls.get("uploadFiles")).toBeLessThanOrEqual(10);
  expect(calls.get("stat") ?? 0).toBeLessThanOrEqual(4);
  calls.clear();
  expect((await all.move("/a/d", "/b/e")).files).toBe(1000);
  expect(calls.get("downloadFiles")).toBeLessThanOrEqual(10);
  expect(calls.get("delete")).toBe(1000);
});
