import { blobStore, fileAccess, sideOf } from "@fs/changes";
import { fileJournal, withJournal } from "@fs/journal";
import { type Filesystem, MemoryBackend } from "@fs/protocol";
import { expect, test } from "vitest";
import { unconditional } from "../../changes/test/kills/others.mjs";
import { Journal } from "../src/journal.js";
import { Recorder } from "../src/recorder.js";

/** What an undo of one edit leaves, when the edit was recorded in the right order, or only after it was made. */
async function undone(late: boolean): Promise<unknown> {
  const base = new MemoryBackend();
  await base.write("/a", "one");
  const store = fileJournal(new MemoryBackend());
  if (late) {
    const recorder = new Recorder(fileAccess(base), store, undefined, undefined);
    await base.edit("/a", "one", "two");
    const file = await recorder.files.get("/a");
    const bytes = file?.bytes ?? new Uint8Array();
    const side = sideOf(bytes, file?.version);
    const changes = [{ path: "/a", before: side, after: side }];
    const id = await recorder.begin({ method: "edit", changes, exact: true, contents: [bytes] });
    await recorder.end(id, { outcome: "done", changes });
    await new Journal(recorder).undo({ record: id });
  } else {
    const { journal, ...files } = withJournalOver(base, store);
    await files.edit("/a", "one", "two");
    const { records = [] } = await journal.history("/a");
    await journal.undo({ record: records[0]?.id ?? "" });
  }
  return (await base.read("/a")).content;
}

function withJournalOver(base: Filesystem, store: ReturnType<typeof fileJournal>) {
  const files = withJournal(base, { store });
  return { journal: files.journal, edit: files.edit.bind(files) };
}

test("an image that is read after the change cannot be put back, and ours can", async () => {
  expect(await undone(false)).toBe("one");
  expect(await undone(true)).toBe("two");
});

test("an undo without conditions overwrites a colleague's file, and ours does not", async () => {
  const left = async (make: (base: MemoryBackend) => Filesystem): Promise<unknown> => {
    const base = new MemoryBackend();
    await base.write("/a", "one");
    const files = withJournal(make(base), { store: fileJournal(new MemoryBackend()) });
    await files.edit("/a", "one", "two");
    await base.edit("/a", "two", "theirs");
    const { records = [] } = await files.journal.history("/a");
    await files.journal.undo({ record: records[0]?.id ?? "" });
    return (await base.read("/a")).content;
  };
  expect(await left((base) => base)).toBe("theirs");
  expect(await left(unconditional)).toBe("one");
});

test("a content that is dropped while a record names it cannot be put back, and pruning keeps it", async () => {
  const left = async (collect: boolean): Promise<unknown> => {
    const base = new MemoryBackend();
    await base.write("/a", "one");
    const kept = new MemoryBackend();
    const files = withJournal(base, { store: fileJournal(kept) });
    await files.edit("/a", "one", "two");
    const blobs = blobStore(kept);
    if (collect) for (const { hash } of await blobs.list()) await blobs.remove(hash);
    else await files.journal.prune({ maxRecords: 1, graceMs: 0 });
    const { records = [] } = await files.journal.history("/a");
    await files.journal.undo({ record: records[0]?.id ?? "" });
    return (await base.read("/a")).content;
  };
  expect(await left(false)).toBe("one");
  expect(await left(true)).toBe("two");
});
