import {
  type BackendProtocolV2,
  CompositeBackend,
  type FileUploadResponse,
  MemoryBackend,
} from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { foreignBackend } from "./foreign-backend.js";

describe("a copy that somebody removed or changed", () => {
  const source = async (): Promise<MemoryBackend> => {
    const files = new MemoryBackend();
    await files.write("/d/1", "new");
    await files.write("/d/2", "far too large");
    return files;
  };
  const TOO_LARGE = {
    error: "'/b/d/2' is larger than this backend accepts.",
    code: "too_large",
  };

  test.each([
    ["file_not_found", "not_found"],
    ["permission_denied", "conflict"],
  ] as const)("is left alone (%s, %s)", async (error, code) => {
    const [from, files] = [await source(), new MemoryBackend({ maxFileBytes: 10 })];
    await files.write("/d/1", "old");
    let replaced = false;
    const target: BackendProtocolV2 = foreignBackend(files, {
      semantics: 1,
      features: ["versions", "conditionalUploads"],
      stat: async (path) => files.stat(path),
      uploadFiles: async (given) => {
        if (replaced) return given.map(([path]) => ({ path, error, code }));
        const stored = await files.uploadFiles([...given]);
        replaced = stored.some((answer) => answer.error === null);
        return stored;
      },
      downloadFiles: async (paths) => files.downloadFiles([...paths]),
    });
    const all = new CompositeBackend(new MemoryBackend(), { "/a/": from, "/b/": target });
    expect(await all.move("/a/d", "/b/d", { overwrite: true })).toEqual(TOO_LARGE);
    expect(replaced).toBe(true);
    expect((await from.glob("**")).files).toHaveLength(2);
  });

  test("is left alone where only its content could show whose it is", async () => {
    const [from, files] = [await source(), new MemoryBackend({ maxFileBytes: 10 })];
    const plain = foreignBackend(files);
    let looks = 0;
    const downloadFiles: BackendProtocolV2["downloadFiles"] = async (paths) => {
      if (++looks === 2) await files.delete("/d/1");
      return (await plain.downloadFiles?.(paths)) ?? [];
    };
    const target = foreignBackend(files, { downloadFiles });
    const all = new CompositeBackend(new MemoryBackend(), { "/a/": from, "/b/": target });
    expect(await all.move("/a/d", "/b/d")).toEqual(TOO_LARGE);
    expect(looks).toBe(2);
  });

  test("stays where it was stored again with the same content, which its version shows", async () => {
    const [from, files] = [await source(), new MemoryBackend({ maxFileBytes: 10 })];
    const target = foreignBackend(files, {
      semantics: 1,
      features: ["versions", "conditionalUploads"],
      stat: async (path) => files.stat(path),
      delete: async (path, options) => files.delete(path, options),
      // The answers name no version, which is then read; right after that another call stores the file.
      uploadFiles: async (given) =>
        (await files.uploadFiles([...given])).map(
          ({ version: _version, size: _size, ...rest }) => rest,
        ) as FileUploadResponse[],
      downloadFiles: async (paths) => {
        const answers = await files.downloadFiles([...paths]);
        await files.uploadFiles([["/d/1", new TextEncoder().encode("new")]]);
        return answers;
      },
    });
    const all = new CompositeBackend(new MemoryBackend(), { "/a/": from, "/b/": target });
    expect(await all.move("/a/d", "/b/d")).toEqual(TOO_LARGE);
    expect((await files.read("/d/1")).content).toBe("new");
  });
});

test("a source that is gone when it is to be removed is a conflict, and the content stays", async () => {
  const [files, stored] = [new MemoryBackend(), new MemoryBackend()];
  await files.write("/f", "one");
  // As a storage does that repeats a removal whose answer was lost.
  const source = foreignBackend(files, {
    delete: async (path) => {
      await files.delete(path);
      return files.delete(path);
    },
  });
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": source, "/b/": stored });
  expect(await all.move("/a/f", "/b/f")).toEqual({
    error: "'/a/f' was changed by another call. Read it again and retry.",
    code: "conflict",
  });
  expect((await stored.read("/f")).content).toBe("one");
});

test("the copy of a source that must not be removed is taken back for good", async () => {
  const [files, stored] = [new MemoryBackend(), new MemoryBackend()];
  await files.write("/f", "one");
  const source = foreignBackend(files, {
    delete: async () => ({ error: "Read only.", code: "permission_denied" }),
  });
  const all = new CompositeBackend(new MemoryBackend(), {
    "/a/": source,
    "/b/": foreignBackend(stored),
  });
  expect((await all.move("/a/f", "/b/f")).code).toBe("permission_denied");
  expect((await files.read("/f")).content).toBe("one");
  expect((await stored.read("/f")).code).toBe("not_found");
});

test("a source that must not be removed, and is its own copy, stays", async () => {
  const files = new MemoryBackend();
  await files.write("/f", "one");
  const alias = foreignBackend(files, {
    delete: async () => ({ error: "Read only.", code: "permission_denied" }),
  });
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": alias, "/b/": alias });
  await all.move("/a/f", "/b/f", { overwrite: true });
  expect((await files.read("/f")).content).toBe("one");
});

test("a copy that could not be taken back, because nothing answers, is named with its source", async () => {
  const [files, stored] = [new MemoryBackend(), new MemoryBackend()];
  await files.write("/f", "one");
  const target = foreignBackend(stored, {
    uploadFiles: async (given) => {
      const answers = await stored.uploadFiles([...given]);
      await files.edit("/f", "one", "two");
      return answers;
    },
    delete: async () => {
      throw new Error("socket hang up");
    },
  });
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": files, "/b/": target });
  expect(await all.move("/a/f", "/b/f")).toEqual({
    error:
      "'/a/f' was copied to '/b/f', but whether the source is gone is not known: the file may exist at both paths. Compare them before you remove one.",
    code: "unavailable",
  });
  expect((await files.read("/f")).content).toBe("two");
});

test("a copy that holds other bytes than were sent has not arrived", async () => {
  const [files, stored] = [new MemoryBackend(), new MemoryBackend()];
  await files.write("/f", "one");
  const target = foreignBackend(stored, {
    uploadFiles: async (given) => {
      const answers = (await foreignBackend(stored).uploadFiles?.(given)) ?? [];
      await stored.edit("/f", "one", "theirs");
      return answers;
    },
  });
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": files, "/b/": target });
  expect(await all.move("/a/f", "/b/f")).toEqual({
    error: "'/b/f' was changed by another call. Read it again and retry.",
    code: "conflict",
  });
  expect((await files.read("/f")).content).toBe("one");
  expect((await stored.read("/f")).content).toBe("theirs");
});
