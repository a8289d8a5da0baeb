import { fileJournal, withJournal } from "@fs/journal";
import { fileAccess, sideOf } from "@fs/changes";
import { interceptBackend, MemoryBackend, type SandboxFilesystem } from "@fs/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Recorder } from "../src/recorder.js";
import { as, bytes, contents, journalled, statuses } from "./journalled.js";

describe("a call whose end was not recorded", () => {
  test("is settled by what the files hold, and never guessed (J4)", async () => {
    for (const [when, foreign, outcome] of [
      ["before", false, "not done"],
      ["after", false, "done"],
      ["before", true, "unknown"],
      ["after", true, "unknown"],
    ] as const) {
      const base = new MemoryBackend();
      const kept = new MemoryBackend();
      await base.write("/a", "one\n");
      const dying = interceptBackend(base, async ({ method }, proceed, refuse) => {
        if (method !== "edit") return proceed();
        if (when === "after") await proceed();
        return refuse({ error: "The process has died.", code: "unavailable" });
      });
      const files = withJournal(dying, { store: fileJournal(kept) });
      expect((await files.edit("/a", "one", "two")).code).toBe("unavailable");
      if (foreign) await base.uploadFiles([["/a", bytes("foreign\n")]]);
      const { journal } = withJournal(base, { store: fileJournal(kept) });
      expect((await journal.history()).records).toMatchObject([{ outcome: "open" }]);
      const { records } = await journal.settle(0);
      expect(records).toMatchObject([{ outcome, settled: true }]);
      expect((await journal.history()).records).toMatchObject([{ outcome }]);
    }
  });

  test("is not taken for done where another record made what is there (J4)", async () => {
    const { base, kept, files, journal } = journalled();
    await as("1", () => files.write("/a", "one\n"));
    await as("2", () => files.edit("/a", "one", "two"));
    // A second undo was begun beside the first, and its process died before it did anything.
    const recorder = new Recorder(fileAccess(base), fileJournal(kept), undefined, undefined);
    const { records = [] } = await journal.history();
    const [change] = records[1]?.changes ?? [];
    if (change === undefined) throw new Error("The edit was not recorded.");
    const back = [{ path: "/a", before: change.after, after: change.before }];
    const id = await recorder.begin({ method: "undo", changes: back, exact: true, contents: [] });
    expect(statuses(await journal.undo({ turnId: "2" }))).toEqual({ "/a": "applied" });
    expect((await journal.settle(0)).records).toMatchObject([{ id, outcome: "not done" }]);
  });

  test("is unknown where the content from before is there in another version (J4)", async () => {
    const { base, kept, files, journal } = journalled();
    await as("1", () => files.write("/a", "one\n"));
    const [first] = (await journal.history()).records ?? [];
    const recorder = new Recorder(fileAccess(base), fileJournal(kept), undefined, undefined);
    const before = first?.changes[0]?.after ?? null;
    const changes = [{ path: "/a", before, after: null }];
    await recorder.begin({ method: "delete", changes, exact: true, contents: [] });
    // Its process made the change and died; another client put the content back.
    await base.delete("/a");
    await base.write("/a", "one\n");
    const outcomes = (await journal.settle(0)).records?.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["unknown"]);
  });

  test("is unknown where two of them may have done the same (J4)", async () => {
    const { base, kept, files, journal } = journalled();
    await as("1", () => files.write("/a", "one\n"));
    const [first] = (await journal.history()).records ?? [];
    const recorder = new Recorder(fileAccess(base), fileJournal(kept), undefined, undefined);
    const before = first?.changes[0]?.after ?? null;
    const changes = [{ path: "/a", before, after: sideOf(bytes("two\n")) }];
    for (let n = 0; n < 2; n++)
      await recorder.begin({ method: "edit", changes, exact: true, contents: [] });
    await base.edit("/a", "one", "two");
    const outcomes = (await journal.settle(0)).records?.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["unknown", "unknown"]);
  });
});

describe("a call that is slower than anybody waits for it", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  /** A backend in two processes: what the one does is looked at by the other, before it is made, much later. */
  function slow(method: string, laterMs: number) {
    const [base, kept] = [new MemoryBackend(), new MemoryBackend()];
    const { journal } = withJournal(base, { store: fileJournal(kept) });
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      vi.setSystemTime(Date.now() + laterMs);
      seen.push((await journal.history()).records?.at(-1)?.outcome);
    };
    const waiting = interceptBackend(base, async (call, proceed) => {
      if (call.method === method) await look();
      return proceed();
    });
    return { base, kept, journal, seen, look, waiting };
  }

  test("has the end that it was answered with, whatever was found out before (J4)", async () => {
    const { base, kept, journal, seen, waiting } = slow("uploadFiles", 61_000);
    const files = withJournal(waiting, { store: fileJournal(kept) });
    await as("7", async () => files.uploadFiles?.([["/a", bytes("1")]]));
    expect(seen).toEqual(["not done"]);
    for (const one of [journal, files.journal])
      expect((await one.history()).records).toMatchObject([{ outcome: "done" }]);
    expect(statuses(await journal.undo({ turnId: "7" }))).toEqual({ "/a": "applied" });
    expect(await contents(base)).toEqual({});
    expect(await journal.prune({ maxRecords: 0, graceMs: 0 })).toMatchObject({ records: 2 });
    expect((await kept.glob("**/*")).files).toEqual([]);
  });

  test.each([
    [3_600_000, "open"],
    [25 * 3_600_000, "unknown"],
  ])("is open for a day where it is a command: %d ms after (J12)", async (laterMs, outcome) => {
    const { base, kept, journal, seen, look, waiting } = slow("", laterMs);
    const execute = async (): Promise<object> => {
      await base.write("/made", "1");
      await look();
      return { output: "", exitCode: 0, truncated: false };
    };
    const sandbox = Object.assign(waiting, { id: "box", execute });
    const files = withJournal(sandbox, { store: fileJournal(kept), execute: "scan" });
    await (files as unknown as SandboxFilesystem).execute("make");
    expect(seen).toEqual([outcome]);
    expect((await journal.history()).records).toMatchObject([
      { outcome: "done", exitCode: 0, changes: [{ path: "/made" }] },
    ]);
  });
});
