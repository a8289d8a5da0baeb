import { diffSnapshots, fileJournal, takeSnapshot, withJournal } from "@fs/journal";
import { applyChanges } from "@fs/changes";
import { interceptBackend, MemoryBackend } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { bytes, contents, journalled } from "./journalled.js";

describe("retention", () => {
  test("drops old records and the contents that only they had (J11)", async () => {
    const { files, journal, kept } = journalled();
    for (let n = 0; n < 5; n++) await files.write(`/${n}`, `content ${n}`);
    expect(await journal.prune({ maxRecords: 2, graceMs: 0 })).toEqual({ records: 3, contents: 3 });
    expect((await journal.history()).records).toHaveLength(2);
    expect((await kept.glob("/blobs/**")).files).toHaveLength(2);
  });

  test("drops the oldest records until the contents of the others fit (J11)", async () => {
    const { files, journal, kept } = journalled();
    await files.write("/a", "x".repeat(100));
    await files.edit("/a", "x".repeat(100), "y".repeat(100));
    await files.write("/copy", "y".repeat(100));
    await files.write("/b", "z".repeat(50));
    // The newest two name 150 bytes, and a content counts once; with the edit before them it would be 250.
    expect(await journal.prune({ maxBytes: 249, graceMs: 0 })).toEqual({ records: 2, contents: 1 });
    expect((await journal.history()).records?.map(({ method }) => method)).toEqual([
      "write",
      "write",
    ]);
    const { files: blobs = [] } = await kept.glob("/blobs/**");
    expect(blobs.reduce((sum, { size = 0 }) => sum + size, 0)).toBe(150);
    expect(await journal.prune({ maxBytes: 150 })).toMatchObject({ records: 0 });
    expect(await journal.prune({ maxBytes: 0, graceMs: 0 })).toEqual({ records: 2, contents: 2 });
    for (const wrong of [{ maxBytes: -1 }, { maxByte: 1 }, { maxAgeMs: "1" }])
      expect((await journal.prune(wrong as never)).code).toBe("invalid_argument");
  });

  test("drops the end of a call whose beginning was dropped under way, and its contents (J11)", async () => {
    const [base, kept] = [new MemoryBackend(), new MemoryBackend()];
    const { journal } = withJournal(base, { store: fileJournal(kept) });
    const slow = interceptBackend(base, async ({ method }, proceed) => {
      if (method === "write") await journal.prune({ maxRecords: 0 });
      return proceed();
    });
    await withJournal(slow, { store: fileJournal(kept) }).write("/a", "password");
    expect((await journal.history()).records).toEqual([]);
    await journal.prune({ maxRecords: 0 });
    expect((await kept.glob("/log/**")).files).toHaveLength(1);
    expect(await journal.prune({ graceMs: 0 })).toEqual({ records: 0, contents: 1 });
    expect((await kept.glob("**/*")).files).toEqual([]);
  });

  test("leaves the contents of snapshots that are named (J11)", async () => {
    const base = new MemoryBackend();
    const store = fileJournal(new MemoryBackend());
    const files = withJournal(base, { store });
    await base.write("/a", "1");
    const first = await takeSnapshot(files, { blobs: store.blobs });
    const policy = { graceMs: 0, snapshots: [first] };
    expect(await files.journal.prune(policy)).toEqual({ records: 0, contents: 0 });
    await base.delete("/a");
    const second = await takeSnapshot(files, { blobs: store.blobs });
    const back = diffSnapshots(second, first);
    expect((await applyChanges(files, back, { blobs: store.blobs })).complete).toBe(true);
    expect(await files.journal.prune({ maxRecords: 0, graceMs: 0 })).toEqual({
      records: 1,
      contents: 1,
    });
    const wrong = { snapshots: [{ files: [["a", null]] }] };
    expect((await files.journal.prune(wrong as never)).code).toBe("invalid_argument");
  });

  test("leaves contents that were just stored, whose records may not be there yet (J11)", async () => {
    const { files, journal } = journalled();
    await files.write("/a", "1");
    expect(await journal.prune({ maxRecords: 0 })).toEqual({ records: 1, contents: 0 });
  });

  test("takes a secret out of the journal and leaves the record (J10)", async () => {
    const { files, journal } = journalled();
    await files.write("/secret", "password");
    await files.write("/a", "1");
    const { records = [] } = await journal.history("/secret");
    expect(await journal.redact(records[0]?.id ?? "")).toEqual({ contents: 1 });
    expect((await journal.history("/secret")).records).toHaveLength(1);
  });

  test.each(["the first", "the second"])(
    "takes a secret out that was corrected, by %s of the records that name it (J10)",
    async (which) => {
      const { base, files, journal, kept } = journalled();
      await files.write("/config", "password");
      await files.edit("/config", "password", "harmless");
      const { records = [] } = await journal.history();
      const id = records[which === "the first" ? 0 : 1]?.id ?? "";
      expect((await journal.redact(id)).contents).toBeGreaterThan(0);
      expect((await kept.grep("password")).matches).toEqual([]);
      const undone = await journal.undo({ record: records[1]?.id ?? "" });
      expect(undone).toMatchObject({ complete: false, paths: [{ status: "failed" }] });
      expect(undone.paths?.[0]?.detail).toContain("not kept");
      expect(await contents(base)).toEqual({ "/config": "harmless" });
    },
  );

  test("takes a secret out of a call that was refused (J10)", async () => {
    const { files, journal, kept } = journalled();
    await files.write("/config", "1");
    await files.write("/config", "password");
    const { records = [] } = await journal.history();
    expect(records[1]?.outcome).toBe("refused");
    await journal.redact(records[1]?.id ?? "");
    expect((await kept.grep("password")).matches).toEqual([]);
  });

  test("keeps only the hashes of files that are named, also of one that is moved there (J10)", async () => {
    const kept = new MemoryBackend();
    const store = fileJournal(kept);
    const files = withJournal(new MemoryBackend(), { store, hashOnly: ["*.pem", "/secrets/**"] });
    await files.write("/a.pem", "password one");
    await files.edit("/a.pem", "one", "two");
    await files.uploadFiles?.([
      ["/secrets/b", bytes("password three")],
      ["/open", bytes("anything")],
    ]);
    await files.move?.("/a.pem", "/c");
    const blobs = (await kept.glob("/blobs/**")).files ?? [];
    expect(blobs.map(({ size }) => size)).toEqual(["anything".length]);
    expect((await kept.grep("password")).matches).toEqual([]);
    expect((await files.journal.history()).records).toHaveLength(4);
    expect((await files.journal.blame("/c")).code).toBe("not_text");
    const undone = await files.journal.undo({
      since: new Date(0).toISOString(),
      only: "/secrets/b",
    });
    expect(undone.paths).toMatchObject([{ path: "/secrets/b", status: "applied" }]);
    expect(() => withJournal(new MemoryBackend(), { store, hashOnly: "[" })).toThrow(TypeError);
  });

  test("keeps only the hashes of copies of files that are named (J10)", async () => {
    const [base, kept] = [new MemoryBackend(), new MemoryBackend()];
    const changing = interceptBackend(base, async ({ method }, proceed) => {
      // Somebody else changes it between the look and the copy.
      if (method === "copy") await base.edit("/keys/a.pem", "one", "two");
      return proceed();
    });
    const files = withJournal(changing, { store: fileJournal(kept), hashOnly: "*.pem" });
    await files.write("/keys/a.pem", "password one");
    await files.write("/c", "replaced");
    await files.copy?.("/keys/a.pem", "/c", { overwrite: true });
    await base.edit("/keys/a.pem", "two", "one");
    await files.copy?.("/keys", "/other");
    expect((await kept.grep("password")).matches).toEqual([]);
    expect((await kept.glob("/blobs/**")).files).toHaveLength(1);
    const { records } = await files.journal.history("/c");
    await files.journal.undo({ record: records?.[1]?.id ?? "" });
    expect((await base.read("/c")).content).toBe("replaced");
  });

  test("of hashes only keeps no content at all (J10)", async () => {
    const kept = new MemoryBackend();
    const files = withJournal(new MemoryBackend(), { store: fileJournal(kept), content: "hash" });
    await files.write("/secret", "password");
    expect((await kept.glob("/blobs/**")).files ?? []).toEqual([]);
    expect((await kept.grep("password")).matches).toEqual([]);
  });
});

test("a snapshot reads only what changed, and restores what was there", async () => {
  const base = new MemoryBackend();
  await base.uploadFiles([
    ["/a", bytes("1")],
    ["/b", bytes("1")],
  ]);
  const { blobs } = fileJournal(new MemoryBackend());
  const first = await takeSnapshot(base, { blobs });
  await base.edit("/a", "1", "2");
  let read: unknown[] = [];
  const counted = interceptBackend(base, async ({ method, args }, proceed) => {
    if (method === "downloadFiles") read = [...read, ...(args[0] as unknown[])];
    return proceed();
  });
  const second = await takeSnapshot(counted, { blobs, previous: first });
  expect(read.length).toBeLessThanOrEqual(2);
  const back = diffSnapshots(second, first);
  expect(back.changes.map(({ path }) => path)).toEqual(["/a"]);
  expect((await applyChanges(base, back, { blobs })).complete).toBe(true);
  expect(await contents(base)).toEqual({ "/a": "1", "/b": "1" });
});

test("a snapshot of a part says nothing of the rest", async () => {
  const base = new MemoryBackend();
  await base.uploadFiles([
    ["/src/a.ts", bytes("1")],
    ["/src/b.ts", bytes("1")],
    ["/README.md", bytes("1")],
  ]);
  const { blobs } = fileJournal(new MemoryBackend());
  const part = await takeSnapshot(base, { blobs, glob: "src/*.ts" });
  await base.edit("/src/a.ts", "1", "2");
  await base.write("/src/c.ts", "1");
  await base.delete("/src/b.ts");
  const whole = await takeSnapshot(base, { blobs });
  for (const [from, to] of [
    [whole, part],
    [part, whole],
  ] as const) {
    const paths = diffSnapshots(from, to).changes.map(({ path }) => path);
    expect(paths).toEqual(["/src/a.ts", "/src/b.ts", "/src/c.ts"]);
  }
  await applyChanges(base, diffSnapshots(whole, part), { blobs });
  expect(await contents(base)).toEqual({ "/src/a.ts": "1", "/src/b.ts": "1", "/README.md": "1" });
  expect(() => diffSnapshots({ ...whole, glob: "[" }, part)).toThrow(TypeError);
});
