import { CompositeBackend, MemoryBackend, MemoryVolume } from "@fs/protocol";
import {
  type PutCondition,
  type RemoveCondition,
  type Volume,
  VolumeBackend,
  VolumeError,
} from "@fs/protocol/author";
import { describe, expect, test } from "vitest";
import { foreignBackend } from "./foreign-backend.js";

/** A volume that stores nothing below `/to`, and says why. */
class ClosedVolume extends MemoryVolume {
  readonly #refusal: unknown;

  constructor(refusal: unknown) {
    super();
    this.#refusal = refusal;
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    if (path.startsWith("/to")) throw this.#refusal;
    return super.put(path, bytes, condition);
  }
}

describe("a copy that the storage refuses", () => {
  const refused = async (refusal: unknown, from = "/from"): Promise<object> => {
    const files = new VolumeBackend(new ClosedVolume(refusal));
    await files.write("/from/1", "one");
    const moved = await files.move(from, "/to");
    expect((await files.read("/from/1")).content).toBe("one");
    return moved;
  };

  test("is answered in the words of the storage", async () => {
    const full = new VolumeError("quota_exceeded", "The shelf is full.");
    for (const from of ["/from", "/from/1"])
      expect(await refused(full, from)).toEqual({
        error: "The shelf is full.",
        code: "quota_exceeded",
      });
  });

  test("is answered in the words of the storage about what stands in the way", async () => {
    const shelf = new VolumeError("not_directory", "A shelf is no directory.");
    expect(await refused(shelf)).toEqual({
      error: "A shelf is no directory.",
      code: "not_directory",
    });
  });

  test("names the path that the storage named", async () => {
    const denied = new VolumeError("permission_denied", undefined, { path: "/shelf" });
    for (const from of ["/from", "/from/1"])
      expect(await refused(denied, from)).toEqual({
        error: "Access to '/shelf' is denied.",
        code: "permission_denied",
      });
  });

  test("names its destination where the storage named none", async () => {
    expect(await refused(new VolumeError("too_large"), "/from/1")).toEqual({
      error: "'/to' is larger than this backend accepts.",
      code: "too_large",
    });
  });

  test("names the path of the call where a file stands above it", async () => {
    expect(await refused(new VolumeError("not_directory"))).toEqual({
      error: "'/to' is not a directory, or lies below a file.",
      code: "not_directory",
    });
  });

  test.each([
    ["timeout", new VolumeError("timeout")],
    ["unavailable", new VolumeError("unavailable")],
    ["unavailable", new Error("socket hang up")],
  ])("keeps the code %s where it may have been stored", async (code, refusal) => {
    expect(await refused(refusal, "/from/1")).toEqual({
      error:
        "'/from/1' is where it was; whether its copy '/to' was stored is not known. Look before you try again.",
      code,
    });
  });
});

test("a file in the way of one in a directory that was there is named", async () => {
  const all = new CompositeBackend(new MemoryBackend(), {
    "/a/": new MemoryBackend(),
    "/b/": new MemoryBackend(),
  });
  await all.write("/a/d/sub/1", "one");
  await all.write("/b/d/sub", "a file");
  expect(await all.copy("/a/d", "/b/d", { overwrite: true })).toEqual({
    error: "'/b/d/sub/1' is not a directory, or lies below a file.",
    code: "not_directory",
  });
  expect(await all.copy("/a/d", "/b/d")).toEqual({
    error: "'/b/d' already exists. Edit it, or choose another path; write only creates.",
    code: "already_exists",
  });
  expect(await all.copy("/a/d", "/b/d/sub/below")).toEqual({
    error: "'/b/d/sub/below' is not a directory, or lies below a file.",
    code: "not_directory",
  });
});

describe("a move of two files, where a storage answers for fewer than it was asked for", () => {
  const moved = async (hook: "putMany" | "removeMany"): Promise<object> => {
    const volume: Volume = Object.assign(new MemoryVolume(), { [hook]: async () => [] });
    const files = new VolumeBackend(volume);
    await files.write("/d/1", "one");
    await files.write("/d/2", "two");
    const answer = await files.move("/d", "/e");
    return { ...answer, left: (await files.glob("**")).files?.map(({ path }) => path) };
  };

  test("to remove, stays at both paths", async () => {
    expect(await moved("removeMany")).toEqual({
      error:
        "'/d/1' was copied to '/e/1', but whether the source is gone is not known: the file may exist at both paths. Compare them before you remove one.",
      code: "unavailable",
      left: ["/d/1", "/d/2", "/e/1", "/e/2"],
    });
  });

  test("to store, has moved nothing", async () => {
    expect(await moved("putMany")).toEqual({
      error:
        "'/d/1' is where it was; whether its copy '/e/1' and another were stored is not known. Look before you try again.",
      code: "unavailable",
      left: ["/d/1", "/d/2"],
    });
  });

  test("says what may have been stored, also where the first file was refused for certain", async () => {
    const volume = new MemoryVolume();
    const { put } = volume;
    const files = new VolumeBackend(volume);
    await files.write("/d/1", "one");
    await files.write("/d/2", "two");
    volume.put = async (path, ...rest) => {
      if (path === "/e/1") throw new VolumeError("permission_denied", undefined, { path });
      await put.call(volume, path, ...rest);
      throw new VolumeError("unavailable");
    };
    expect(await files.copy("/d", "/e")).toEqual({
      error:
        "'/d/2' is where it was; whether its copy '/e/2' was stored is not known. Look before you try again.",
      code: "unavailable",
    });
    expect((await files.read("/e/2")).content).toBe("two");
  });
});

test("a source without versions that was cut since it was copied stays, and its copy is taken back", async () => {
  const [files, target] = [new MemoryBackend({ writeMode: "overwrite" }), new MemoryBackend()];
  await files.write("/f", "one two");
  const all = new CompositeBackend(new MemoryBackend(), {
    "/a/": foreignBackend(files),
    "/b/": foreignBackend(target, {
      uploadFiles: async (given) => {
        const stored = await target.uploadFiles([...given]);
        await files.write("/f", "one");
        return stored;
      },
    }),
  });
  expect((await all.move("/a/f", "/b/f")).code).toBe("conflict");
  expect((await files.read("/f")).content).toBe("one");
  expect((await target.read("/f")).code).toBe("not_found");
});

test("onError receives the cause of a refusal whose error names another path", async () => {
  const cause = new Error("quota of shelf 7");
  for (const [code, from] of [
    ["too_large", "/from/1"],
    ["not_directory", "/from"],
  ] as const) {
    const received: unknown[] = [];
    const volume = new ClosedVolume(new VolumeError(code, undefined, { cause }));
    const files = new VolumeBackend(volume, { onError: (error) => void received.push(error) });
    await files.write("/from/1", "one");
    expect((await files.move(from, "/to")).code).toBe(code);
    const chain = [received[0]];
    for (let at = received[0]; at instanceof Error; at = at.cause) chain.push(at.cause);
    expect(chain).toContain(cause);
  }
});

test("directories that are left empty go with a move, and stay with a copy", async () => {
  class RealVolume extends MemoryVolume implements Volume {
    readonly directories = "real";
    readonly removed: string[] = [];

    override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
      this.removed.push(path);
      return super.remove(path, condition);
    }
  }
  const volume = new RealVolume();
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": new VolumeBackend(volume) });
  await all.write("/a/d/e/1", "one");
  expect(await all.copy("/a/d", "/b")).toEqual({ path: "/b", files: 1 });
  expect(volume.removed).toEqual([]);
  expect(await all.move("/a/d", "/c")).toEqual({ path: "/c", files: 1 });
  expect(volume.removed).toEqual(["/d/e/1", "/d"]);
});
