import {
  type BackendProtocolV2,
  CompositeBackend,
  type FileUploadResponse,
  MemoryBackend,
  MemoryVolume,
} from "@fs/protocol";
import { type PutCondition, VolumeBackend } from "@fs/protocol/author";
import { describe, expect, test } from "vitest";
import { foreignBackend } from "./foreign-backend.js";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

interface Plain {
  readonly stat?: boolean;
  readonly features?: MemoryBackend["features"];
  readonly uploaded?: (files: MemoryBackend) => Promise<unknown>;
  /** Downloads that are answered; later ones are not. */
  readonly downloads?: number;
}

/** A backend of another package over the files: it honours no condition, and what it answers has no version unless it says so. */
function plain(files: MemoryBackend, options: Plain = {}): BackendProtocolV2 {
  const versions = options.features?.includes("versions") === true;
  let { downloads = Infinity } = options;
  return foreignBackend(files, {
    ...(options.features === undefined ? {} : { features: options.features }),
    ...(options.stat === true ? { stat: async (path: string) => files.stat(path) } : {}),
    uploadFiles: async (given) => {
      const stored = await files.uploadFiles([...given]);
      await options.uploaded?.(files);
      return stored.map(({ path, error }) => ({ path, error }));
    },
    downloadFiles: async (paths) => {
      if (downloads-- <= 0) throw new Error("socket hang up");
      return (await files.downloadFiles([...paths])).map(({ version, ...answer }) =>
        versions && version !== undefined ? { ...answer, version } : answer,
      );
    },
  });
}

async function between(
  source: BackendProtocolV2 | MemoryBackend,
  target: BackendProtocolV2 | MemoryBackend,
): Promise<CompositeBackend> {
  return new CompositeBackend(new MemoryBackend(), { "/a/": source, "/b/": target });
}

describe("a source without versions", () => {
  test.each([[undefined], [["versions"]]] as const)(
    "is moved to a storage that has them (features %s)",
    async (features) => {
      const files = new MemoryBackend();
      await files.write("/f", "one");
      const all = await between(plain(files, features && { features }), new MemoryBackend());
      expect(await all.move("/a/f", "/b/f")).toEqual({ path: "/b/f", files: 1 });
      expect((await all.read("/b/f")).content).toBe("one");
      expect((await files.read("/f")).code).toBe("not_found");
    },
  );

  test("that has changed since it was copied stays, and its copy is taken back", async () => {
    const files = new MemoryBackend();
    const target = new MemoryBackend();
    const changing = plain(target, { uploaded: async () => files.edit("/d/one", "one", "two") });
    await files.write("/d/one", "one");
    await files.write("/d/other", "other");
    const all = await between(plain(files), changing);
    expect((await all.move("/a/d", "/b/d")).code).toBe("conflict");
    expect((await files.read("/d/one")).content).toBe("two");
    expect((await target.read("/d/one")).code).toBe("not_found");
    expect((await target.read("/d/other")).content).toBe("other");
  });

  test("stays where its listing leaves something out", async () => {
    const files = new MemoryBackend();
    await files.write("/d/f", "one");
    const source: BackendProtocolV2 = {
      ...plain(files),
      ls: async (path) => ({ ...(await files.ls(path)), warnings: ["Some files are left out."] }),
    };
    const target = new MemoryBackend();
    expect((await (await between(source, target)).move("/a/d", "/b/d")).code).toBe("unavailable");
    expect((await target.glob("**")).files).toEqual([]);
    expect((await files.read("/d/f")).content).toBe("one");
  });

  test("is moved as a directory without files where it has such", async () => {
    const all = await between(
      {
        ...plain(new MemoryBackend()),
        stat: async (path) => ({ info: { path, is_dir: true } }),
        ls: async () => ({ files: [] }),
      },
      new MemoryBackend(),
    );
    expect(await all.move("/a/empty", "/b/empty")).toEqual({ path: "/b/empty", files: 0 });
    expect((await all.copy("/a/empty", "/b/empty")).code).toBe("not_found");
  });
});

describe.each([true, false])("a destination without conditions (stat: %s)", (stat) => {
  const target = async (): Promise<{ files: MemoryBackend; all: CompositeBackend }> => {
    const [source, files] = [new MemoryBackend(), new MemoryBackend()];
    for (const name of ["1", "2", "3"]) await source.write(`/d/${name}`, `new ${name}`);
    await files.write("/d/1", "old 1");
    await files.write("/f", "old");
    return { files, all: await between(source, plain(files, { stat })) };
  };

  test("keeps what stands there, whether a file or a directory", async () => {
    const { files, all } = await target();
    expect((await all.copy("/a/d/1", "/b/f")).code).toBe("already_exists");
    expect((await all.copy("/a/d/1", "/b/d")).code).toBe("is_directory");
    expect((await all.copy("/a/d", "/b/d")).code).toBe("already_exists");
    expect((await all.copy("/a/d", "/b/f", { overwrite: true })).code).toBe("already_exists");
    expect((await files.ls("/d")).files).toHaveLength(1);
    expect((await files.read("/f")).content).toBe("old");
  });

  test("is replaced with `overwrite`, and each file gets its own content", async () => {
    const { files, all } = await target();
    expect(await all.move("/a/d", "/b/d", { overwrite: true })).toEqual({ path: "/b/d", files: 3 });
    for (const name of ["1", "2", "3"])
      expect((await files.read(`/d/${name}`)).content).toBe(`new ${name}`);
    expect((await all.glob("**", "/a")).files).toEqual([]);
  });
});

test("a copy that a storage without versions says to have stored, and has not, removes no source", async () => {
  const files = new MemoryBackend();
  const source = new MemoryBackend();
  await source.write("/f", "precious");
  const uploaded = async (): Promise<unknown> => files.delete("/f");
  const all = await between(source, plain(files, { uploaded }));
  expect((await all.move("/a/f", "/b/f")).code).toBe("conflict");
  expect((await source.read("/f")).content).toBe("precious");
});

/** A volume in which others change files as soon as they are stored, and in which later stores may get no answer. */
class BusyVolume extends MemoryVolume {
  change: string | undefined;
  silent = false;

  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    if (this.silent) throw new Error("socket hang up");
    const stored = await super.put(path, bytes, condition);
    const { change } = this;
    this.change = undefined;
    if (change === "silence") this.silent = true;
    else if (change !== undefined) await super.put(path, text(change), {});
    return stored;
  }
}

/** A backend whose answers to an upload leave out the version. */
class Quiet extends VolumeBackend {
  override async uploadFiles(
    ...args: Parameters<VolumeBackend["uploadFiles"]>
  ): Promise<FileUploadResponse[]> {
    return (await super.uploadFiles(...args)).map(({ path, error }) => ({ path, error }));
  }
}

describe("what is taken back because a later file fails", () => {
  const fails = async (
    Backend: typeof VolumeBackend,
    old: string | undefined,
    change: string,
  ): Promise<{ error: string | undefined; content: unknown }> => {
    const volume = new BusyVolume();
    if (old !== undefined) await volume.put("/d/1", text(old), {});
    const source = new MemoryBackend();
    await source.write("/d/1", "new");
    await source.write("/d/2", "far too large");
    const all = await between(source, new Backend(volume, { maxFileBytes: 10 }));
    volume.change = change;
    const { error } = await all.move("/a/d", "/b/d", { overwrite: true });
    volume.silent = false;
    return { error, content: (await all.read("/b/d/1")).content };
  };

  test.each([
    ["replaced", VolumeBackend, "old"],
    ["created, and the storage named no version", Quiet, undefined],
  ] as const)("is not what another call has changed since (%s)", async (_, Backend, old) => {
    expect((await fails(Backend, old, "theirs")).content).toBe("theirs");
  });

  test("stays, and is named, where the storage no longer says what it is", async () => {
    const [source, files] = [new MemoryBackend(), new MemoryBackend({ maxFileBytes: 10 })];
    await source.write("/d/1", "new");
    await source.write("/d/2", "far too large");
    const all = await between(source, plain(files, { downloads: 1 }));
    const { error } = await all.move("/a/d", "/b/d");
    expect(error).toContain("'/b/d/1' was taken back is not known");
    expect((await files.read("/d/1")).content).toBe("new");
    expect((await all.glob("**", "/a")).files).toHaveLength(2);
  });

  test("is named where the storage does not say whether it restored what was there", async () => {
    const { error, content } = await fails(VolumeBackend, "old", "silence");
    expect(error).toContain("'/b/d/1' was taken back is not known");
    expect(content).toBe("new");
  });
});
