import { fileJournal, type JournalStore, withJournal } from "@fs/journal";
import { interceptBackend, MemoryBackend } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { as, contents, statuses } from "./journalled.js";

/** Two processes with one backend and one journal. */
function two() {
  const [base, kept] = [new MemoryBackend(), new MemoryBackend()];
  const process = (store: JournalStore = fileJournal(kept)) => withJournal(base, { store });
  return { base, kept, process, own: process(), other: process() };
}

describe("a content that was dropped", () => {
  test.each(["own", "other"] as const)(
    "is kept again by the next record that names it (J11), pruned by the %s process",
    async (pruner) => {
      const processes = two();
      const { base, own } = processes;
      await own.write("/a", "precious");
      await processes[pruner].journal.prune({ maxRecords: 0, graceMs: 0 });
      await as("7", async () => own.delete?.("/a"));
      expect(statuses(await own.journal.undo({ turnId: "7" }))).toEqual({ "/a": "applied" });
      expect(await contents(base)).toEqual({ "/a": "precious" });
    },
  );

  test("is put back where a record came to name it meanwhile (J11)", async () => {
    const { base, kept, process, own } = two();
    await own.write("/a", "precious");
    await own.delete?.("/a");
    const store = fileJournal(kept);
    let raced = false;
    const remove = async (hash: string): Promise<boolean> => {
      if (!raced) await own.write("/a", "precious");
      raced = true;
      return store.blobs.remove(hash);
    };
    const pruner = process({ ...store, blobs: { ...store.blobs, remove } });
    expect(await pruner.journal.prune({ maxRecords: 0, graceMs: 0 })).toEqual({
      records: 2,
      contents: 0,
    });
    await as("7", async () => own.delete?.("/a"));
    await process().journal.undo({ turnId: "7" });
    expect(await contents(base)).toEqual({ "/a": "precious" });
  });
});

test("a content that this process knows is not read once more", async () => {
  const kept = new MemoryBackend();
  let reads = 0;
  const counted = interceptBackend(kept, async ({ method }, proceed) => {
    if (method === "downloadFiles") reads++;
    return proceed();
  });
  const files = withJournal(new MemoryBackend(), { store: fileJournal(counted) });
  await files.write("/a", "1");
  await files.edit("/a", "1", "2");
  await files.write("/b", "2");
  expect(reads).toBe(0);
});
