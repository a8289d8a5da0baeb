import { fileJournal, withJournal } from "@fs/journal";
import { jsonBytes, sideOf } from "@fs/changes";
import { MemoryBackend } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { as, bytes, contents, journalled } from "./journalled.js";

describe("a move", () => {
  test.each([
    ["/d/a", "/d/a"],
    ["/d", "/d"],
    ["/d", "/d/e"],
    ["/d/", "/d/e/"],
    ["/d/e", "/d"],
    ["/d/a", "/"],
    ["/d", "/"],
    ["/", "/d"],
  ])("of %s to %s leaves a journal that can be read", async (from, to) => {
    const { base, files, journal } = journalled();
    for (const path of ["/d/a", "/d/e/a", "/d/e/e/a"]) await files.write(path, path);
    await files.copy?.(from, to, { overwrite: true });
    await files.move?.(from, to, { overwrite: true });
    expect((await journal.history()).error).toBeUndefined();
    for (const path of Object.keys(await contents(base)))
      expect((await journal.blame(path)).error).toBeUndefined();
    expect((await journal.prune({ maxRecords: 1 })).error).toBeUndefined();
  });

  test("that was stored with a path twice does not close the journal", async () => {
    const { base, files, kept } = journalled();
    await as("1", () => files.write("/a", "1"));
    const [begun] = (await fileJournal(kept).read({})).filter(({ phase }) => phase === "begin");
    if (begun === undefined) throw new Error("The write was not recorded.");
    const side = sideOf(bytes("1"));
    const changes = [
      { path: "/a", before: side, after: side, from: "/a" },
      { path: "/a", before: side, after: null },
      { path: "/", before: null, after: side, from: "/a" },
    ];
    const id = `${begun.id.slice(0, -1)}z`;
    const path = `/log/${begun.time.slice(0, 10)}/${id}.begin.json`;
    await kept.uploadFiles([[path, jsonBytes({ ...begun, id, method: "move", changes })]]);
    const { journal } = withJournal(base, { store: fileJournal(kept) });
    expect((await journal.history()).records).toMatchObject([
      { method: "write" },
      { method: "move", changes: [{ path: "/a", after: side }] },
    ]);
    expect((await journal.settle(0)).error).toBeUndefined();
    expect((await journal.history("/a")).error).toBeUndefined();
  });
});

test("what could not be read again is not recorded, and not done (J1)", async () => {
  const base = new MemoryBackend();
  await base.write("/d/a", "1");
  const listing = new Proxy(base, {
    get: (target, name) => {
      if (name === "glob")
        return async () => ({ files: [{ path: "/d/a" }, { path: "/d/./a" }, { path: "/d/a" }] });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const files = withJournal(listing, { store: fileJournal(new MemoryBackend()) });
  expect((await files.delete?.("/d"))?.code).toBe("unavailable");
  expect(await contents(base)).toEqual({ "/d/a": "1" });
  expect((await files.journal.history()).records).toEqual([]);
});
