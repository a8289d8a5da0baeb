import { describe, expect, test } from "vitest";
import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import {
  VolumeBackend,
  VolumeError,
  type PutCondition,
  type Volume,
  type VolumeFile,
} from "@fs/protocol/author";

describe("compare-and-swap", () => {
  /** A volume where somebody else writes between a read and the next put, a number of times. */
  class RacedVolume extends MemoryVolume {
    rivals: string[] = [];
    override async put(
      path: string,
      bytes: Uint8Array,
      condition: PutCondition,
    ): Promise<{ version: string }> {
      const rival = condition.ifVersion === undefined ? undefined : this.rivals.shift();
      if (rival !== undefined) await super.put(path, new TextEncoder().encode(rival), {});
      return super.put(path, bytes, condition);
    }
  }

  test("an edit that still applies is tried again", async () => {
    const volume = new RacedVolume();
    const files = new VolumeBackend(volume);
    await files.write("/x", "a b");
    volume.rivals = ["a b c", "a b c d"];
    expect(await files.edit("/x", "b", "B")).toMatchObject({ path: "/x", occurrences: 1 });
    expect(await files.read("/x")).toMatchObject({ content: "a B c d" });
  });

  test("one that no longer applies is a conflict", async () => {
    const volume = new RacedVolume();
    const files = new VolumeBackend(volume);
    await files.write("/x", "a b");
    volume.rivals = ["gone"];
    expect(await files.edit("/x", "b", "B")).toMatchObject({ code: "conflict" });
    expect(await files.read("/x")).toMatchObject({ content: "gone" });
  });

  test("ifVersion holds for write, edit and delete", async () => {
    const files = new MemoryBackend();
    await files.write("/x", "1");
    const { version = "" } = await files.read("/x");
    expect(await files.write("/x", "2", { ifVersion: "other" })).toMatchObject({
      code: "conflict",
    });
    expect(await files.write("/x", "2", { ifVersion: version })).toMatchObject({ path: "/x" });
    expect(await files.edit("/x", "2", "3", false, { ifVersion: version })).toMatchObject({
      code: "conflict",
    });
    expect(await files.delete("/x", { ifVersion: version })).toMatchObject({ code: "conflict" });
    expect(await files.write("/new", "1", { ifVersion: version })).toMatchObject({
      code: "conflict",
    });
    expect(await files.read("/x")).toMatchObject({ content: "2" });
  });

  test("parallel edits of one file are all applied", async () => {
    const files = new MemoryBackend();
    await files.write("/n", Array.from({ length: 20 }, (_, i) => `line ${i};\n`).join(""));
    const edits = await Promise.all(
      Array.from({ length: 20 }, (_, i) => files.edit("/n", `line ${i};`, `done ${i};`)),
    );
    expect(edits.every(({ error }) => error === undefined)).toBe(true);
    expect((await files.read("/n")).content).not.toContain("line");
  });
});

describe("mutations of one path", () => {
  class SlowVolume extends MemoryVolume {
    underWay = 0;
    most = 0;
    override async put(
      path: string,
      bytes: Uint8Array,
      condition: PutCondition,
    ): Promise<{ version: string }> {
      this.most = Math.max(this.most, ++this.underWay);
      await new Promise((resolve) => setImmediate(resolve));
      this.underWay--;
      return super.put(path, bytes, condition);
    }
  }

  test.each([
    ["one after the other", false, 1],
    ["at once, to a volume that orders them itself", true, 5],
  ])("are handed over %s", async (_how, ordersMutations, most) => {
    const volume = Object.assign(new SlowVolume(), { ordersMutations });
    const files = new VolumeBackend(volume);
    const written = await Promise.all(
      Array.from({ length: 5 }, (_, index) => files.write("/x", `${index}`)),
    );
    expect(volume.most).toBe(most);
    expect(written.filter(({ code }) => code === "already_exists")).toHaveLength(4);
  });
});

describe("cancellation", () => {
  test("a call that was aborted before it began does nothing", async () => {
    const files = new MemoryBackend();
    const signal = AbortSignal.abort();
    expect(await files.write("/x", "1", { signal })).toMatchObject({ code: "aborted" });
    expect(await files.ls("/", { signal })).toMatchObject({ code: "aborted" });
    expect(await files.ls("/")).toEqual({ files: [] });
  });

  test("a read answers as soon as its signal fires, even if the storage hangs", async () => {
    const volume: Volume = new MemoryVolume();
    volume.get = () => new Promise<VolumeFile>(() => {});
    const controller = new AbortController();
    const pending = new VolumeBackend(volume).read("/x", 0, 1, { signal: controller.signal });
    controller.abort();
    expect(await pending).toMatchObject({ code: "aborted" });
  });
});

describe("results are detached", () => {
  test("bytes are copied in and out", async () => {
    const files = new MemoryBackend();
    const bytes = new Uint8Array([0, 1, 2]);
    await files.uploadFiles([["/x.bin", bytes]]);
    bytes[0] = 9;
    const [first] = await files.downloadFiles(["/x.bin"]);
    first?.content?.fill(7);
    expect((await files.read("/x.bin")).content).toEqual(new Uint8Array([0, 1, 2]));
  });
});

test("a moved directory takes only what arrived: what is added or changed meanwhile stays", async () => {
  class BusyVolume extends MemoryVolume {
    override async put(
      path: string,
      bytes: Uint8Array,
      condition: PutCondition,
    ): Promise<{ version: string }> {
      const stored = await super.put(path, bytes, condition);
      if (path === "/to/a") {
        await super.put("/from/late", new Uint8Array([1]), {});
        await super.put("/from/b", new Uint8Array([2]), {});
      }
      return stored;
    }
  }
  const files = new VolumeBackend(new BusyVolume(), { concurrency: 1 });
  await files.write("/from/b", "b");
  await files.write("/from/a", "a");
  // The storage lists b first: it has been copied when it changes.
  expect(await files.move("/from", "/to")).toMatchObject({ code: "conflict" });
  const all = await files.glob("**");
  expect(all.files?.map(({ path }) => path)).toEqual(["/from/b", "/from/late", "/to/a"]);
});

test("files of one batch do not collide with each other", async () => {
  const files = new MemoryBackend();
  const stored = await files.uploadFiles([
    ["/a", new Uint8Array([1])],
    ["/a/b", new Uint8Array([2])],
  ]);
  expect(stored).toMatchObject([{ error: null }, { code: "not_directory" }]);
});

test("overwrite replaces whole files", async () => {
  const files = new MemoryBackend({ writeMode: "overwrite" });
  await files.write("/x", "a long text");
  expect(await files.write("/x", "b")).toMatchObject({ path: "/x" });
  expect(await files.read("/x")).toMatchObject({ content: "b" });
});

describe("copying a directory", () => {
  test("is the volume's when it offers to, and file by file when it declines", async () => {
    class CopyingVolume extends MemoryVolume {
      readonly asked: string[] = [];
      async copyTree(from: string, to: string): Promise<number | undefined> {
        this.asked.push(`${from} ${to}`);
        return to === "/declined" ? undefined : 7;
      }
    }
    const volume = new CopyingVolume();
    const files = new VolumeBackend(volume);
    await files.write("/a/b", "x");
    expect(await files.copy("/a", "/offered")).toMatchObject({ path: "/offered", files: 7 });
    expect(await files.copy("/a", "/declined")).toMatchObject({ path: "/declined", files: 1 });
    expect(volume.asked).toEqual(["/a /offered", "/a /declined"]);
    expect((await files.read("/declined/b")).content).toBe("x");
  });
});

describe("a change whose signal fires while the storage is at work", () => {
  const during = async (put: () => Promise<never>, abort: AbortController) => {
    const volume: Volume = new MemoryVolume();
    volume.put = () => {
      abort.abort();
      return put();
    };
    return new VolumeBackend(volume).write("/x", "1", { signal: abort.signal });
  };

  test("is what the storage answers in time", async () => {
    const abort = new AbortController();
    const answer = await during(() => Promise.reject(new VolumeError("conflict")), abort);
    expect(answer).toMatchObject({ code: "conflict" });
  });

  test("may have taken effect where it answers nothing, and the sentence says so", async () => {
    const answer = await during(() => new Promise<never>(() => {}), new AbortController());
    expect(answer.code).toBe("aborted");
    expect(answer.error).toContain("may have taken effect");
  });
});

test("a page of no entries goes on where the one before it ended", async () => {
  const files = new MemoryBackend();
  for (const path of ["/a", "/b"]) await files.write(path, path);
  expect(await files.ls("/", { limit: 0, after: "/a" })).toEqual({
    files: [],
    truncated: true,
    nextAfter: "/a",
  });
});
