import { CompositeBackend, MemoryBackend, withPolicy } from "@fs/protocol";
import { expect, test } from "vitest";
import { foreignBackend } from "./foreign-backend.js";

test.each([{ truncated: true as const }, { warnings: ["Some files are left out."] }])(
  "a listing that leaves something out does not say that a destination is free (%o)",
  async (partly) => {
    const [source, stored] = [new MemoryBackend(), new MemoryBackend()];
    await source.write("/f", "new");
    await stored.write("/a", "other");
    await stored.write("/f", "old");
    const target = foreignBackend(stored, {
      ls: async (path) => {
        const listed = await stored.ls(path, { limit: 1 });
        return listed.error === undefined ? { files: listed.files, ...partly } : listed;
      },
    });
    const all = new CompositeBackend(new MemoryBackend(), { "/a/": source, "/b/": target });
    for (const kind of ["move", "copy"] as const)
      expect(await all[kind]("/a/f", "/b/f")).toMatchObject({ code: "unavailable" });
    expect((await stored.read("/f")).content).toBe("old");
    expect((await source.read("/f")).content).toBe("new");
  },
);

test("what is read again of a source without versions is read in batches", async () => {
  const files = new MemoryBackend();
  const names = Array.from({ length: 450 }, (_, n) => `/d/${n}`);
  await files.uploadFiles(names.map((path) => [path, new TextEncoder().encode(path)]));
  const plain = foreignBackend(files);
  const downloads: number[] = [];
  const source = foreignBackend(files, {
    downloadFiles: async (paths) => {
      downloads.push(paths.length);
      return (await plain.downloadFiles?.(paths)) ?? [];
    },
  });
  const all = new CompositeBackend(new MemoryBackend(), { "/a/": source });
  expect(await all.move("/a/d", "/d")).toEqual({ path: "/d", files: 450 });
  expect(downloads).toEqual([200, 200, 50, 200, 200, 50]);
});

test("a copy of a directory without files is not found, through a wrapper too", async () => {
  const all = new CompositeBackend(new MemoryBackend(), { "/m/": new MemoryBackend() });
  const answer = { error: "'/m' holds no file.", code: "not_found" };
  expect(await all.copy("/m", "/b")).toEqual(answer);
  expect(await withPolicy(all, {}).copy?.("/m", "/b")).toEqual(answer);
});
