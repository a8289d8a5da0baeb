import { type Filesystem, CompositeBackend, MemoryBackend } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { foreignBackend } from "./foreign-backend.js";
import { HashVolume } from "./hash-volume.js";

const FEATURES = { semantics: 1, features: ["versions", "conditionalUploads", "stat"] } as const;

const ONLY_COPY = {
  error:
    "Another call has removed or moved '/a/f' while it was copied to '/b/f'. The copy stays, because it may be all that is left of the file.",
  code: "unavailable",
};
const CONFLICT = {
  error: "'/a/f' was changed by another call. Read it again and retry.",
  code: "conflict",
};
const NOT_KNOWN = {
  error:
    "'/a/f' was copied to '/b/f', but whether the source is gone is not known: the file may exist at both paths. Compare them before you remove one.",
  code: "unavailable",
};

function hashes(named: boolean): VolumeBackend {
  return new VolumeBackend(Object.assign(new HashVolume(), { named }));
}

/** Longer than a tick of the clock, which a move that has stored over the same content waits for. */
const TICK = 1200;
let now = 0;
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A source that another call removes right before the move does, so many milliseconds after the copy. */
async function vanishing(after: number): Promise<Filesystem> {
  const files = new MemoryBackend();
  await files.write("/f", "moved");
  const remove = files.delete.bind(files);
  files.delete = async (path, options) => {
    await remove(path);
    now += after;
    return remove(path, options);
  };
  return files;
}

async function movedOver(target: Filesystem, after = TICK): Promise<unknown[]> {
  await target.write("/f", "old");
  const mounts = { "/a/": await vanishing(after), "/b/": target };
  const answer = await new CompositeBackend(new MemoryBackend(), mounts).move("/a/f", "/b/f", {
    overwrite: true,
  });
  return [answer, (await target.read("/f")).content];
}

describe("a copy between mounts whose source another call removes", () => {
  test("is taken back where a version names a write", async () => {
    expect(await movedOver(new MemoryBackend())).toEqual([CONFLICT, "old"]);
  });

  test("is taken back where the storage names its writes", async () => {
    expect(await movedOver(hashes(true))).toEqual([CONFLICT, "old"]);
  });

  test("is taken back by its hash before another call can have moved what it stored over it", async () => {
    expect(await movedOver(hashes(false), 0)).toEqual([CONFLICT, "old"]);
  });

  test("stays where it could be another call's, by its hash or by its content", async () => {
    expect(await movedOver(hashes(false))).toEqual([ONLY_COPY, "moved"]);
    const files = new MemoryBackend();
    expect(await movedOver(foreignBackend(files) as Filesystem)).toEqual([ONLY_COPY, "moved"]);
  });

  test("stays where what is between here and the storage leaves the name out", async () => {
    const files = hashes(true);
    const stat = files.stat.bind(files);
    files.stat = async (path, call) => {
      const seen = await stat(path, call);
      if (seen.info === undefined) return seen;
      const { writeId: _writeId, ...info } = seen.info;
      return { info };
    };
    expect(await movedOver(files)).toEqual([ONLY_COPY, "moved"]);
  });

  test("may stay where the storage does not say what it is", async () => {
    const files = hashes(true);
    files.stat = async () => ({ error: "Try again later.", code: "unavailable" });
    expect(await movedOver(files)).toEqual([NOT_KNOWN, "moved"]);
  });
});

describe("a copy whose version is tried by storing it once more", () => {
  /** A target without names of writes that answers the second upload of the copy in another way. */
  async function answering(
    again: (files: MemoryBackend) => Promise<"as it is" | { code: string } | "no version">,
  ): Promise<unknown[]> {
    const files = new MemoryBackend();
    let copies = 0;
    const target = {
      ...foreignBackend(files, { ...FEATURES }),
      delete: files.delete.bind(files),
      stat: files.stat.bind(files),
      downloadFiles: files.downloadFiles.bind(files),
      uploadFiles: async (given: Parameters<MemoryBackend["uploadFiles"]>[0]) => {
        const isCopy = given.some(([, bytes]) => new TextDecoder().decode(bytes) === "moved");
        // The first finds the file that is there, the second replaces it.
        const how = isCopy && ++copies === 3 ? await again(files) : "as it is";
        if (typeof how === "object")
          return given.map(([path]) => ({ path, error: "permission_denied", ...how }));
        const stored = await files.uploadFiles([...given]);
        if (how === "as it is") return stored;
        return stored.map(({ path, error }) => ({ path, error }));
      },
    } as unknown as Filesystem;
    const seen = await movedOver(target);
    expect(copies).toBe(3);
    return seen;
  }

  test("is the call's own in another version", async () => {
    expect(await answering(async () => "as it is")).toEqual([CONFLICT, "old"]);
  });

  test("is another call's where that is refused", async () => {
    const theirs = await answering(async (files) => {
      await files.edit("/f", "moved", "theirs");
      return { code: "conflict" };
    });
    expect(theirs).toEqual([CONFLICT, "theirs"]);
  });

  test("stays where no version is answered, or no answer comes", async () => {
    expect(await answering(async () => "no version")).toEqual([ONLY_COPY, "moved"]);
    expect(await answering(async () => ({ code: "unavailable" }))).toEqual([NOT_KNOWN, "moved"]);
  });
});

test("the name of a write is answered by the upload and by stat, until another one comes", async () => {
  const files = new CompositeBackend(hashes(true), {});
  const bytes = new TextEncoder().encode("text");
  const [first] = await files.uploadFiles([["/f", bytes]]);
  const stat = async (): Promise<unknown> => (await files.stat("/f")).info?.writeId;
  expect(first?.writeId).toEqual(expect.any(String));
  expect(await stat()).toBe(first?.writeId);
  const [second] = await files.uploadFiles([["/f", bytes]]);
  expect(second?.version).toBe(first?.version);
  expect(second?.writeId).not.toBe(first?.writeId);
  expect(await stat()).toBe(second?.writeId);
});
