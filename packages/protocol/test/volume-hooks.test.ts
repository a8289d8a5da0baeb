import { MemoryVolume } from "@fs/protocol";
import {
  type ListQuery,
  type PutCondition,
  type Volume,
  VolumeBackend,
  type VolumeEntry,
  type VolumeFile,
} from "@fs/protocol/author";
import { describe, expect, test } from "vitest";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** A backend over a volume with some hooks. The files are there already, and each holds its own path. */
async function over(
  hooks: Partial<Volume>,
  paths: readonly string[],
  volume: Volume = new MemoryVolume(),
): Promise<VolumeBackend> {
  for (const path of paths) await volume.put(path, text(path), {});
  return new VolumeBackend(Object.assign(volume, hooks), { concurrency: 1 });
}

describe("what a volume answers for a page", () => {
  test("of a text ends it where nothing follows, though its lines were not counted", async () => {
    const page = { bytes: text("b\n"), lines: 1, atEnd: true };
    const files = await over({ readPage: async () => page }, ["/f"]);
    expect(await files.read("/f", 1, 1)).toEqual({
      content: "b\n",
      mimeType: "text/plain",
      startLine: 2,
      endLine: 2,
    });
  });

  test("of a text is not taken where its bytes are none: the whole file is binary", async () => {
    const bytes = new Uint8Array([0xff, 0x0a, 0x41]);
    const page = { bytes: bytes.slice(0, 2), lines: 1, atEnd: false };
    const files = await over({ readPage: async () => page }, []);
    await files.uploadFiles([["/f.dat", bytes]]);
    expect((await files.read("/f.dat", 0, 1)).content).toEqual(bytes);
  });

  test("of a listing has a next one where the volume says that more follow", async () => {
    const entries: VolumeEntry[] = [{ path: "/a", kind: "file" }];
    const files = await over({ listPage: async () => ({ entries, more: true }) }, []);
    expect(await files.ls("/", { limit: 1 })).toMatchObject({ truncated: true, nextAfter: "/a" });
  });

  test.each([
    ["nothing", []],
    ["what was listed before", [{ path: "/a", kind: "file" }]],
  ] as const)(
    "of a listing is not taken where more follow and it holds %s: it would be asked for again without end",
    async (_, entries) => {
      const files = await over({ listPage: async () => ({ entries, more: true }) }, ["/a", "/b"]);
      const page = await files.ls("/", { limit: 1, after: "/a" });
      expect(page).toEqual({ files: [expect.objectContaining({ path: "/b" })] });
    },
  );
});

describe("a batch", () => {
  test("is checked against the kinds that the volume names, of a path and of all above it", async () => {
    const kinds = new Map([
      ["/f", "file"],
      ["/d", "directory"],
      ["/d/e", "directory"],
    ] as const);
    const kindMany: Volume["kindMany"] = async (paths) =>
      paths.map((path) => kinds.get(path as "/f"));
    const files = await over({ collisions: "checked", kindMany }, []);
    const stored = await files.uploadFiles(
      ["/f/x", "/f/x/y", "/d", "/d/e", "/d/new"].map((path) => [path, text(path)]),
    );
    expect(stored.map(({ code }) => code)).toEqual([
      "not_directory",
      "not_directory",
      "is_directory",
      "is_directory",
      undefined,
    ]);
  });

  test.each(["at once", "one by one"])("that is aborted stores nothing more (%s)", async (how) => {
    const abort = new AbortController();
    let asked = 0;
    const kindMany: Volume["kindMany"] = async (paths) => {
      if (how === "at once") abort.abort();
      return paths.map(() => undefined);
    };
    const volume = new MemoryVolume();
    const put = volume.put.bind(volume);
    const files = await over(
      {
        collisions: "checked",
        kindMany,
        put: async (...args) => {
          asked++;
          abort.abort();
          return put(...args);
        },
        putMany: async () => {
          if (how === "at once") asked++;
          return undefined;
        },
      },
      [],
      volume,
    );
    const given = ["/1", "/2", "/3"].map((path) => [path, text(path)] as [string, Uint8Array]);
    const stored = await files.uploadFiles(given, { signal: abort.signal });
    expect(asked).toBe(how === "at once" ? 0 : 1);
    expect(stored.slice(1).map(({ code }) => code)).toEqual(["aborted", "aborted"]);
  });
});

describe("a directory", () => {
  test("is looked for in its listing where names may collide, whatever `stat` says", async () => {
    const files = await over({ collisions: "allowed", stat: async () => undefined }, ["/d/f"]);
    expect((await files.read("/d")).code).toBe("is_directory");
    expect((await files.read("/none")).code).toBe("not_found");
  });

  test("is found by its first entry, and its listing is ended there", async () => {
    const volume = new MemoryVolume();
    const list = volume.list.bind(volume);
    let [open, most] = [0, 0];
    async function* counted(path: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
      most = Math.max(most, ++open);
      try {
        yield* list(path, query);
      } finally {
        open--;
      }
    }
    const files = await over({ list: counted }, ["/d/1", "/d/2"], volume);
    expect((await files.stat("/d")).info?.is_dir).toBe(true);
    expect([open, most]).toEqual([0, 1]);
  });
});

describe("a search of the volume, sorted", () => {
  const batches = (): AsyncGenerator<ReadonlyArray<{ path: string; line: number; text: string }>> =>
    (async function* () {
      yield ["/a.md", "/b.txt", "/c.md"].flatMap((path) =>
        [1, 2].map((line) => ({ path, line, text: "x" })),
      );
    })();

  test.each([
    ["*.md", null, ["/a.md:1", "/a.md:2", "/c.md:1", "/c.md:2"]],
    ["*.md", 3, ["/a.md:1", "/a.md:2", "/c.md:1"]],
    ["*.txt", 2, ["/b.txt:1", "/b.txt:2"]],
  ] as const)("is filtered and capped: %s, %s", async (filter, cap, expected) => {
    const grep: Volume["grep"] = async () => ({ sorted: true, batches: batches() });
    const found = await (await over({ grep }, [])).grep("x", "/", filter, cap);
    expect(found.matches?.map(({ path, line }) => `${path}:${line}`)).toEqual(expected);
    expect(found.truncated).toBe(cap === 3 ? true : undefined);
  });
});

test("a text that a volume names beside the bytes is none with a NUL in it", async () => {
  class Texts extends MemoryVolume {
    override async get(path: string): Promise<VolumeFile | undefined> {
      const file = await super.get(path);
      return file && { ...file, text: new TextDecoder().decode(file.bytes) };
    }
  }
  const files = await over({}, [], new Texts());
  await files.uploadFiles([["/f", text("a\0b")]]);
  expect((await files.read("/f")).content).toEqual(text("a\0b"));
  expect((await files.edit("/f", "a", "b")).code).toBe("not_text");
});

describe("a move or copy", () => {
  test.each(["/d/1", "/d"])("that is aborted while it reads stores nothing (%s)", async (from) => {
    const abort = new AbortController();
    class Aborting extends MemoryVolume {
      stored = 0;
      override async get(path: string): Promise<VolumeFile | undefined> {
        const file = await super.get(path);
        if (path === "/d/2" || from === "/d/1") abort.abort();
        return file;
      }
      override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
        this.stored++;
        return super.put(path, bytes, condition);
      }
      async putMany(): Promise<undefined> {
        this.stored++;
        return undefined;
      }
    }
    const volume = new Aborting();
    const files = await over({}, ["/d/1", "/d/2"], volume);
    volume.stored = 0;
    expect((await files.move(from, "/e", { signal: abort.signal })).code).toBe("aborted");
    expect(volume.stored).toBe(0);
  });

  test("that is aborted while it stores removes no source", async () => {
    const abort = new AbortController();
    class Aborting extends MemoryVolume {
      override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
        if (path === "/to") abort.abort();
        return super.put(path, bytes, condition);
      }
    }
    const files = await over({}, ["/from"], new Aborting());
    const { error } = await files.move("/from", "/to", { signal: abort.signal });
    expect(error).toBeDefined();
    expect((await files.read("/from")).content).toBe("/from");
  });

  test("of a directory with a file that may not be read is refused before anything is written", async () => {
    const volume = new MemoryVolume();
    const list = volume.list.bind(volume);
    async function* unreadable(path: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
      query.onUnreadable?.();
      yield* list(path, query);
    }
    const files = await over({ list: unreadable }, ["/d/f"], volume);
    expect((await files.move("/d", "/e")).code).toBe("permission_denied");
    expect((await files.glob("**")).files?.map(({ path }) => path)).toEqual(["/d/f"]);
  });

  test("by the volume is passed whether it may replace, and is refused below a file", async () => {
    const asked: unknown[] = [];
    const done = async (_from: string, _to: string, { overwrite }: { overwrite: boolean }) => {
      asked.push(overwrite);
      return true as const;
    };
    const tree = async (): Promise<number> => asked.push("tree");
    const hooks = { moveFile: done, copyFile: done, moveTree: tree, copyTree: tree };
    const files = await over({ collisions: "checked", ...hooks }, ["/f", "/d/g"]);
    await files.move("/f", "/x", { overwrite: true });
    await files.copy("/f", "/x");
    expect(asked).toEqual([true, false]);
    expect((await files.move("/d", "/f/below")).code).toBe("not_directory");
    expect((await files.copy("/d/g", "/f/below")).code).toBe("not_directory");
    expect(asked).toEqual([true, false]);
  });

  test("of a directory counts what arrived, not what was listed", async () => {
    class Vanishing extends MemoryVolume {
      override async get(path: string): Promise<VolumeFile | undefined> {
        return path === "/d/gone" ? undefined : super.get(path);
      }
    }
    const files = await over({}, ["/d/gone", "/d/here"], new Vanishing());
    expect(await files.copy("/d", "/e")).toEqual({ path: "/e", files: 1 });
  });

  test("that lost its source to another call leaves no copy", async () => {
    class Taken extends MemoryVolume {
      override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
        const stored = await super.put(path, bytes, condition);
        if (path === "/to") await super.remove("/from", {});
        return stored;
      }
      override async remove(path: string): Promise<boolean> {
        return super.remove(path, {});
      }
    }
    const files = await over({}, ["/from"], new Taken());
    expect((await files.move("/from", "/to")).code).toBe("conflict");
    expect((await files.ls("/")).files).toEqual([]);
  });

  test("whose destination others change and remove on the way ends with the copy", async () => {
    class Changing extends MemoryVolume {
      rounds = 0;
      override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
        if (path === "/to" && condition.ifVersion !== undefined && ++this.rounds <= 2) {
          if (this.rounds === 1) await super.put(path, text("theirs"), {});
          else await super.remove(path, {});
        }
        return super.put(path, bytes, condition);
      }
    }
    const files = await over({}, ["/from", "/to"], new Changing());
    expect(await files.copy("/from", "/to", { overwrite: true })).toMatchObject({ files: 1 });
    expect((await files.read("/to")).content).toBe("/from");
  });

  test("whose destination changes all the time is given up", async () => {
    class Restless extends MemoryVolume {
      override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
        if (path === "/to" && condition.ifVersion !== undefined)
          await super.put(path, text("theirs"), {});
        return super.put(path, bytes, condition);
      }
    }
    const files = await over({}, ["/from", "/to"], new Restless());
    expect((await files.move("/from", "/to", { overwrite: true })).code).toBe("conflict");
    expect((await files.read("/from")).content).toBe("/from");
    expect((await files.read("/to")).content).toBe("theirs");
  });
});
