import { CompositeBackend, MemoryBackend, MemoryVolume, withPolicy } from "@fs/protocol";
import {
  type PutCondition,
  type RemoveCondition,
  type Volume,
  VolumeBackend,
  type VolumeEntry,
  VolumeError,
} from "@fs/protocol/author";
import { describe, expect, test } from "vitest";
import { foreignBackend } from "./foreign-backend.js";

const NINE = Array.from({ length: 9 }, (_, n) => `/d/${n}`);

async function filled(volume: Volume): Promise<VolumeBackend> {
  const files = new VolumeBackend(volume, { concurrency: 1 });
  for (const path of NINE) await files.write(path, path);
  return files;
}

describe("a directory of which a file cannot be removed", () => {
  class Stubborn extends MemoryVolume {
    readonly #stays: string;

    constructor(stays: string) {
      super();
      this.#stays = stays;
    }

    override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
      if (path === this.#stays) throw new VolumeError("permission_denied");
      return super.remove(path, condition);
    }
  }

  test("is said to be removed in part where some files are gone", async () => {
    const files = await filled(new Stubborn("/d/8"));
    expect(await files.delete("/d")).toEqual({
      error:
        "Only a part of the directory was removed (permission_denied): 8 files are gone. List it to see what is left.",
      code: "permission_denied",
    });
    expect((await files.ls("/d")).files).toHaveLength(1);
    const judged = withPolicy(await filled(new Stubborn("/d/8")), {});
    expect((await judged.delete?.("/d"))?.error).toContain("8 files are gone");
    const one = await filled(new Stubborn("/d/1"));
    expect((await one.delete("/d")).error).toContain("1 file is gone");
  });

  test("is refused as ever where none is", async () => {
    const files = await filled(new Stubborn("/d/0"));
    expect((await files.delete("/d")).error).toBe("Access to '/d' is denied.");
    expect((await files.ls("/d")).files).toHaveLength(9);
  });
});

test("a directory that stays, empty, is no failure of the move of its files", async () => {
  class Held extends MemoryVolume {
    readonly directories = "real" as const;

    async stat(path: string): Promise<VolumeEntry | undefined> {
      const file = await this.get(path);
      if (file !== undefined) return { path, kind: "file", version: file.version };
      return path === "/d" ? { path, kind: "directory" } : undefined;
    }

    override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
      if (path === "/d") throw Object.assign(new Error("busy"), { code: "EACCES" });
      return super.remove(path, condition);
    }
  }
  const files = await filled(new Held());
  expect(await files.move("/d", "/e")).toEqual({ path: "/e", files: 9 });
  expect((await files.read("/e/8")).content).toBe("/d/8");
});

test.each([
  ["is not answered", { error: undefined, code: undefined }, "unavailable"],
  ["is refused", { error: "permission_denied", code: "permission_denied" }, "permission_denied"],
] as const)("a copy is taken back when reading it back %s", async (_, answer, code) => {
  const [source, stored] = [new MemoryBackend(), new MemoryBackend()];
  await source.write("/f", "new");
  await stored.write("/f", "old");
  const plain = foreignBackend(stored);
  let looks = 0;
  const target = foreignBackend(stored, {
    // The first look is at what will be replaced, the second at the copy.
    downloadFiles: async (paths) => {
      if (++looks !== 2) return (await plain.downloadFiles?.(paths)) ?? [];
      if (answer.error === undefined) throw new Error("socket hang up");
      return paths.map((path) => ({ path, content: null, ...answer }));
    },
  });
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": source, "/b/": target });
  expect((await all.move("/a/f", "/b/f", { overwrite: true })).code).toBe(code);
  expect((await stored.read("/f")).content).toBe("old");
  expect((await source.read("/f")).content).toBe("new");
});

test("a copy that cannot be read at all is named as what may have stayed", async () => {
  const [source, stored] = [new MemoryBackend(), new MemoryBackend()];
  await source.write("/f", "new");
  const target = foreignBackend(stored, {
    downloadFiles: async (paths) =>
      paths.map((path) => ({ path, content: null, error: "permission_denied" })),
  });
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": source, "/b/": target });
  const { error, code } = await all.move("/a/f", "/b/f");
  expect(error).toContain("whether its copy '/b/f' was taken back is not known");
  expect(code).toBe("permission_denied");
  expect((await source.read("/f")).content).toBe("new");
});

describe("a storage that answers with an error of the operating system", () => {
  class Failing extends MemoryVolume {
    readonly #errno: string;

    constructor(errno: string) {
      super();
      this.#errno = errno;
    }

    override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
      if (path.startsWith("/to"))
        throw Object.assign(new Error(`${this.#errno}: /host/path`), { code: this.#errno });
      return super.put(path, bytes, condition);
    }
  }

  test.each([
    ["ENOSPC", "quota_exceeded"],
    ["EDQUOT", "quota_exceeded"],
    ["EFBIG", "too_large"],
    ["EROFS", "permission_denied"],
  ])("%s refuses a move and a copy as it refuses a write", async (errno, code) => {
    const files = await filled(new Failing(errno));
    const refused = await files.write("/to", "x");
    expect(refused.code).toBe(code);
    expect(await files.move("/d/1", "/to")).toEqual(refused);
    expect(await files.copy("/d/1", "/to")).toEqual(refused);
    expect((await files.move("/d", "/to")).code).toBe(code);
  });

  test.each(["EIO", "ENOENT", "EEXIST", "ETIMEDOUT"])(
    "%s leaves open what happened",
    async (errno) => {
      const files = await filled(new Failing(errno));
      expect((await files.move("/d/1", "/to")).error).toContain("was stored is not known");
    },
  );
});
