import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import { resolvePath } from "@fs/protocol/bridge";
import {
  VolumeBackend,
  VolumeError,
  type Listing,
  type ListQuery,
  type RemoveCondition,
  type VolumeFile,
} from "@fs/protocol/author";
import { expect, test } from "vitest";
import { editFailure } from "../src/text/edit-refusal.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A volume that leaves it to the backend to look for what is in the way. */
class LooksVolume {
  readonly #files = new Map<string, Uint8Array>();

  async get(path: string) {
    const found = this.#files.get(path);
    return found && { bytes: found, version: "1", modifiedAt: "2026-01-01T00:00:00.000Z" };
  }

  async put(path: string, content: Uint8Array) {
    this.#files.set(path, content);
    return {};
  }

  async remove(path: string): Promise<boolean> {
    return this.#files.delete(path);
  }

  async *list(directory: string) {
    const prefix = directory === "/" ? "/" : `${directory}/`;
    for (const path of this.#files.keys())
      if (path.startsWith(prefix)) yield { path, kind: "file" as const };
  }
}

test("a file of a batch cannot lie below another one of it", async () => {
  const backend = new VolumeBackend(new LooksVolume());
  const answers = await backend.uploadFiles([
    ["/a", bytes("file")],
    ["/a/b", bytes("below it")],
    ["/c", bytes("beside")],
  ]);
  expect(answers.map(({ code }) => code)).toEqual([undefined, "not_directory", undefined]);
  expect((await backend.glob("**")).files?.map(({ path }) => path)).toEqual(["/a", "/c"]);
});

test("what a storage calls no directory is looked at again: below a file there is nothing", async () => {
  class SystemVolume extends MemoryVolume {
    override list(directory: string, query: ListQuery): Listing {
      if (directory.startsWith("/a.txt"))
        throw Object.assign(new Error("not a directory"), { code: "ENOTDIR" });
      return super.list(directory, query);
    }
  }
  const backend = new VolumeBackend(new SystemVolume());
  await backend.write("/a.txt", "one");
  expect(await backend.ls("/a.txt/below")).toMatchObject({ code: "not_found" });
  expect(await backend.ls("/a.txt")).toMatchObject({ code: "not_directory" });
});

test("a directory that a listing reports missing holds nothing that matches", async () => {
  class ReportingVolume extends MemoryVolume {
    override list(directory: string, query: ListQuery): Listing {
      if (directory === "/none") throw new VolumeError("not_found");
      return super.list(directory, query);
    }
  }
  const backend = new VolumeBackend(new ReportingVolume());
  await backend.write("/a.txt", "one");
  expect(await backend.glob("none/*.txt")).toEqual({ files: [] });
  expect(await backend.glob("*.txt")).toMatchObject({ files: [{ path: "/a.txt" }] });
});

test("a storage that refuses to remove a directory as a file has it removed as one", async () => {
  class RefusingVolume extends MemoryVolume {
    override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
      if (path === "/d") throw new VolumeError("is_directory");
      return super.remove(path, condition);
    }
  }
  const backend = new VolumeBackend(new RefusingVolume());
  await backend.write("/d/a.txt", "one");
  expect(await backend.delete("/d")).toEqual({ path: "/d" });
  expect(await backend.read("/d/a.txt")).toMatchObject({ code: "not_found" });
});

test("a storage that answers with Buffers, whose slice copies nothing, keeps what it stores to itself", async () => {
  class BufferVolume extends MemoryVolume {
    override async get(path: string): Promise<VolumeFile | undefined> {
      const file = await super.get(path);
      return file && { ...file, bytes: Buffer.from(file.bytes.buffer) };
    }
  }
  const backend = new VolumeBackend(new BufferVolume());
  const stored = Uint8Array.of(0, 1, 2);
  await backend.uploadFiles([["/a.bin", stored]]);
  const { content } = await backend.read("/a.bin");
  const { data } = await backend.readRaw("/a.bin");
  const [downloaded] = await backend.downloadFiles(["/a.bin"]);
  for (const answered of [content, data?.content, downloaded?.content]) {
    expect(answered).toEqual(stored);
    (answered as Uint8Array).fill(7);
  }
  expect((await backend.read("/a.bin")).content).toEqual(stored);
});

test.each([
  ["/cwd", "a/b", "/cwd/a/b"],
  ["/cwd", "../a", "/a"],
  ["/cwd", "/a/./b/../c", "/a/c"],
  ["/cwd", "../../..", "/"],
  ["/cwd", "", ""],
])("from %s, %s leads to %s", (cwd, path, expected) => {
  expect(resolvePath(cwd, path)).toBe(expected);
});

test("a refusal among several edits says which one it is", () => {
  const edits = ["one", "none", "two"].map((old) => ({
    old,
    new: "",
    replaceAll: false,
  }));
  const refused = editFailure("/a.txt", { code: "no_match", index: 1 }, edits, "one\ntwo\n");
  expect(refused.error).toMatch(/^Edit 2 of 3: /);
});

test("a refusal names the path as it was written, and leaves lines of the file as they are", async () => {
  const files = new MemoryBackend();
  await files.write("/d/a.txt", "see '/d/a.txt' here\n");
  const { error } = await files.edit("//d/a.txt", "see '/d/b.txt' here", "x");
  expect(error).toContain("not found in '//d/a.txt'");
  expect(error).toContain("1: see '/d/a.txt' here");
});
