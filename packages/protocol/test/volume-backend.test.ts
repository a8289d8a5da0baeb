import { describe, expect, test, vi } from "vitest";
import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import {
  VolumeBackend,
  VolumeError,
  type PutCondition,
  type Volume,
  type VolumeFile,
} from "@fs/protocol/author";

describe("whatever a volume throws becomes a result", () => {
  const failing = (thrown: unknown): VolumeBackend => {
    const volume: Volume = new MemoryVolume();
    volume.get = () => Promise.reject(thrown);
    return new VolumeBackend(volume);
  };

  test.each([
    [Object.assign(new Error("open '/srv/secret'"), { code: "ENOENT" }), "not_found"],
    [Object.assign(new Error("/srv/secret"), { code: "EACCES" }), "permission_denied"],
    [Object.assign(new Error("x"), { code: "ENOSPC" }), "quota_exceeded"],
    [
      Object.assign(new Error("connect postgres://u:secret@h"), { code: "ECONNREFUSED" }),
      "unavailable",
    ],
    [new TypeError("secret"), "unavailable"],
    ["secret", "unavailable"],
    [undefined, "unavailable"],
    [new VolumeError("timeout"), "timeout"],
    [new DOMException("secret", "AbortError"), "aborted"],
  ])("%s is %s", async (thrown, code) => {
    const result = await failing(thrown).read("/x");
    expect(result).toEqual({ error: expect.any(String), code });
    expect(result.error).not.toContain("secret");
  });

  test("a batch hook that fails, fails for each file", async () => {
    const volume: Volume = new MemoryVolume();
    volume.putMany = () => Promise.reject(new Error("secret"));
    volume.getMany = () => Promise.reject(new Error("secret"));
    const files = new VolumeBackend(volume);
    const bytes = new Uint8Array(1);
    const stored = await files.uploadFiles([
      ["/a", bytes],
      ["bad", bytes],
      ["/b", bytes],
    ]);
    expect(stored.map(({ code }) => code)).toEqual(["unavailable", "invalid_path", "unavailable"]);
    const fetched = await files.downloadFiles(["/a", "/b"]);
    expect(fetched.map(({ code }) => code)).toEqual(["unavailable", "unavailable"]);
  });

  test("the operator hears of the cause", async () => {
    const heard: unknown[] = [];
    const volume: Volume = new MemoryVolume();
    const cause = new Error("connection refused");
    volume.get = () => Promise.reject(new VolumeError("unavailable", undefined, { cause }));
    const files = new VolumeBackend(volume, {
      onError: (error, call) => heard.push([error, call]),
    });
    await files.read("/x");
    await files.downloadFiles(["/x", "/y"]);
    expect(heard).toHaveLength(3);
    expect(heard[0]).toEqual([
      expect.objectContaining({ cause }),
      { operation: "read", path: "/x" },
    ]);
  });
});

test("a listener that throws is a warning, not an exception", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const volume: Volume = new MemoryVolume();
  volume.get = () => Promise.reject(new Error("down"));
  const files = new VolumeBackend(volume, {
    onError: () => {
      throw new Error("the listener is broken");
    },
  });
  expect(await files.read("/x")).toMatchObject({ code: "unavailable" });
  expect(await files.downloadFiles(["/x"])).toMatchObject([{ code: "unavailable" }]);
  expect(warn).toHaveBeenCalledTimes(2);
  warn.mockRestore();
});

test("an edit hook is told the limit, and the generic path words the refusal", async () => {
  const volume: Volume = new MemoryVolume();
  const limits: number[] = [];
  volume.edit = async (_path, _edits, { maxBytes }) => {
    limits.push(maxBytes);
    return undefined;
  };
  const files = new VolumeBackend(volume, { maxFileBytes: 3 });
  await files.write("/x", "abc");
  expect(await files.edit("/x", "a", "aa")).toMatchObject({ code: "too_large" });
  expect(limits).toEqual([3]);
});

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

test("a limit is too_large, and stores nothing", async () => {
  const files = new MemoryBackend({ maxFileBytes: 4 });
  expect(await files.write("/x", "ééé")).toMatchObject({ code: "too_large" });
  expect(await files.write("/x", "éé")).toMatchObject({ path: "/x" });
  expect(await files.edit("/x", "é", "éé", true)).toMatchObject({ code: "too_large" });
  expect(await files.uploadFiles([["/y", new Uint8Array(5)]])).toMatchObject([
    { error: "invalid_path", code: "too_large" },
  ]);
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

test("bad input of every kind is a coded result", async () => {
  const files = new MemoryBackend();
  await files.write("/x", "1");
  const bad: unknown = Symbol("bad");
  // Agents and untyped callers pass anything: the types are no protection.
  const call = (method: string, ...args: unknown[]): unknown =>
    Reflect.apply(Reflect.get(files, method), files, args);
  for (const value of [undefined, null, 7, {}, [], bad, Number.NaN]) {
    for (const [method, ...args] of [
      ["read", value],
      ["read", "/x", value === undefined ? -1 : value],
      ["readRaw", value],
      ["write", value, "x"],
      ["write", "/new", value],
      ["edit", value, "a", "b"],
      ["edit", "/x", value, "b"],
      ["multiEdit", "/x", value],
      ["delete", value],
      ["move", value, "/y"],
      ["copy", "/x", value],
      ["glob", value],
      ["grep", value],
    ] as const) {
      expect
        .soft(await call(method, ...args), `${method}(${String(args[0])})`)
        .toMatchObject({ error: expect.any(String), code: expect.any(String) });
    }
  }
  expect(await files.ls("/")).toMatchObject({ files: [{ path: "/x" }] });
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
