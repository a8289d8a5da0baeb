import {
  type JournalRecord,
  diffSnapshots,
  fileJournal,
  takeSnapshot,
  withJournal,
} from "@fs/journal";
import { applyChanges, fileAccess, sideOf } from "@fs/changes";
import { interceptBackend, MemoryBackend, runAsCaller, type SandboxFilesystem } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { Recorder } from "../src/recorder.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function journalled(base = new MemoryBackend(), kept = new MemoryBackend()) {
  const files = withJournal(base, { store: fileJournal(kept) });
  return { base, kept, files, journal: files.journal };
}

const as = <T>(turnId: string, task: () => Promise<T>, actor = "agent"): Promise<T> =>
  runAsCaller({ actor, turnId }, task);

async function contents(backend: MemoryBackend): Promise<Record<string, string>> {
  const { files = [] } = await backend.glob("**/*");
  const read = await backend.downloadFiles(files.map(({ path }) => path));
  return Object.fromEntries(
    read.map(({ path, content }) => [path, new TextDecoder().decode(content ?? undefined)]),
  );
}

const statuses = (result: { paths?: ReadonlyArray<{ path: string; status: string }> }): object =>
  Object.fromEntries((result.paths ?? []).map(({ path, status }) => [path, status]));

const summary = (records: readonly JournalRecord[] = []): unknown[] =>
  records.map(({ method, outcome, caller, changes }) => [
    method,
    outcome,
    caller.actor,
    changes.map(({ path, before, after }) => [path, before?.size ?? null, after?.size ?? null]),
  ]);

describe("a record", () => {
  test("says who changed what, before and after, also of what was refused (J1, J5)", async () => {
    const { files, journal } = journalled();
    await as("1", () => files.write("/a.txt", "one\n"));
    await as("1", () => files.edit("/a.txt", "one", "three"), "ann");
    await as("1", () => files.edit("/a.txt", "missing", "x"), "bob");
    await as("2", async () => files.delete?.("/a.txt"));
    const { records = [] } = await journal.history();
    expect(summary(records)).toEqual([
      ["write", "done", "agent", [["/a.txt", null, 4]]],
      ["edit", "done", "ann", [["/a.txt", 4, 6]]],
      ["edit", "refused", "bob", []],
      ["delete", "done", "agent", [["/a.txt", 6, null]]],
    ]);
    expect(records.every(({ exact }) => exact)).toBe(true);
  });

  test("of parallel edits makes a chain of versions without a gap (J2, J3)", async () => {
    const { base, files, journal } = journalled();
    await files.write("/log", "<end>");
    const foreign = base.edit("/log", "<end>", "foreign\n<end>");
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => files.edit("/log", "<end>", `${n}\n<end>`)),
    );
    await foreign;
    const { records = [] } = await journal.history("/log");
    const done = records.filter(({ outcome, exact }) => outcome === "done" && exact);
    expect(done).toHaveLength(21);
    const before = new Map(done.map(({ changes }) => [changes[0]?.before?.version, changes[0]]));
    // All but the foreign change link one version to the next.
    const links = done.filter(({ changes }) => before.has(changes[0]?.after?.version));
    expect(links.length).toBeGreaterThanOrEqual(19);
  });

  test("follows a file over its moves (J8)", async () => {
    const { files, journal } = journalled();
    await files.write("/old", "1\n");
    await files.move?.("/old", "/new");
    await files.edit("/new", "1", "2");
    await files.write("/old", "another\n");
    const { records } = await journal.history("/new");
    expect(records?.map(({ method }) => method)).toEqual(["write", "move", "edit"]);
  });

  test("is there before the change, and where it cannot be kept nothing changes (J1)", async () => {
    const base = new MemoryBackend();
    const down = interceptBackend(new MemoryBackend(), async ({ method }, proceed, refuse) =>
      method === "uploadFiles"
        ? refuse({ error: "The disk is full.", code: "unavailable" })
        : proceed(),
    );
    const files = withJournal(base, { store: fileJournal(down) });
    expect((await files.write("/a", "x")).code).toBe("unavailable");
    expect(await files.uploadFiles?.([["/a", bytes("x")]])).toMatchObject([
      { code: "unavailable" },
    ]);
    expect((await files.read("/a")).code).toBe("not_found");
  });

  test("of an upload has one image per file, also of a path that comes twice", async () => {
    const { files, journal, base } = journalled();
    const answers = await files.uploadFiles?.([
      ["/a", bytes("1")],
      ["/b", bytes("22")],
      ["/a", bytes("333")],
    ]);
    expect(answers?.map(({ error }) => error)).toEqual([null, null, null]);
    expect(await contents(base)).toEqual({ "/a": "333", "/b": "22" });
    expect(summary((await journal.history()).records)).toEqual([
      [
        "uploadFiles",
        "done",
        undefined,
        [
          ["/a", null, 1],
          ["/b", null, 2],
        ],
      ],
      ["uploadFiles", "done", undefined, [["/a", 1, 3]]],
    ]);
  });

  test("of a command is the command alone (J12)", async () => {
    const sandbox: SandboxFilesystem = Object.assign(new MemoryBackend(), {
      id: "box",
      execute: async () => ({ output: "", exitCode: 0, truncated: false }),
    });
    const files = withJournal(sandbox, { store: fileJournal(new MemoryBackend()) });
    await (files as unknown as SandboxFilesystem).execute("rm -rf /tmp/x");
    const { records } = await files.journal.history();
    expect(records).toMatchObject([{ method: "execute", command: "rm -rf /tmp/x", exact: false }]);
    const refused = withJournal(sandbox, {
      store: fileJournal(new MemoryBackend()),
      execute: "refuse",
    });
    expect("execute" in refused).toBe(false);
  });
});

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
    const recorder = new Recorder(fileAccess(base), fileJournal(kept), "full", undefined);
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
    const recorder = new Recorder(fileAccess(base), fileJournal(kept), "full", undefined);
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
    const recorder = new Recorder(fileAccess(base), fileJournal(kept), "full", undefined);
    const before = first?.changes[0]?.after ?? null;
    const changes = [{ path: "/a", before, after: sideOf(bytes("two\n")) }];
    for (let n = 0; n < 2; n++)
      await recorder.begin({ method: "edit", changes, exact: true, contents: [] });
    await base.edit("/a", "one", "two");
    const outcomes = (await journal.settle(0)).records?.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["unknown", "unknown"]);
  });
});

describe("undo", () => {
  test("takes a turn back, and redo takes the undo back (J6, J7)", async () => {
    const { base, files, journal } = journalled();
    await as("1", () => files.write("/kept", "1\n"));
    await as("1", () => files.write("/gone", "1\n"));
    const before = await contents(base);
    await as("2", async () => {
      await files.edit("/kept", "1", "2");
      await files.edit("/kept", "2", "3");
      await files.delete?.("/gone");
      await files.write("/new/file", "1\n");
    });
    const after = await contents(base);
    const undone = await journal.undo({ turnId: "2" });
    expect(undone.complete).toBe(true);
    expect(await contents(base)).toEqual(before);
    expect(statuses(await journal.undo({ turnId: "2" }))).toEqual({
      "/gone": "already",
      "/kept": "already",
      "/new/file": "already",
    });
    expect((await journal.redo(undone.record ?? "")).complete).toBe(true);
    expect(await contents(base)).toEqual(after);
  });

  test("records only what it changed, so that one that found all done leaves no gap (J6)", async () => {
    const { base, files, journal } = journalled();
    await as("1", () => files.write("/a", "1\n"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const then = new Date().toISOString();
    await as("2", () => files.edit("/a", "1", "2"));
    await journal.undo({ turnId: "2" });
    expect(statuses(await journal.undo({ turnId: "2" }))).toEqual({ "/a": "already" });
    await as("3", () => files.edit("/a", "1", "3"));
    expect((await journal.restoreTo(then)).complete).toBe(true);
    expect(await contents(base)).toEqual({ "/a": "1\n" });
  });

  test("touches nothing that others changed since, and names it (J7)", async () => {
    const { base, files, journal } = journalled();
    await as("0", async () => {
      for (const path of ["/free", "/later", "/between", "/past"]) await files.write(path, "0\n");
    });
    await as("1", async () => {
      for (const path of ["/free", "/later", "/between", "/past"]) await files.edit(path, "0", "1");
    });
    await as("2", () => files.edit("/later", "1", "2"), "ann");
    await as("2", () => files.edit("/between", "1", "2"), "ann");
    await as("1", () => files.edit("/between", "2", "3"));
    await base.edit("/past", "1", "foreign");
    const undone = await journal.undo({ turnId: "1" });
    expect(undone.complete).toBe(false);
    expect(statuses(undone)).toEqual({
      "/between": "conflict",
      "/free": "applied",
      "/later": "conflict",
      "/past": "conflict",
    });
    expect(await contents(base)).toEqual({
      "/between": "3\n",
      "/free": "0\n",
      "/later": "2\n",
      "/past": "foreign\n",
    });
  });

  test("trusts versions, not contents: what was put back by somebody else is theirs", async () => {
    const { base, files, journal } = journalled();
    await as("0", () => files.write("/a", "0\n"));
    await as("1", () => files.edit("/a", "0", "1"));
    await base.edit("/a", "1", "2");
    await base.edit("/a", "2", "1");
    expect(statuses(await journal.undo({ turnId: "1" }))).toEqual({ "/a": "conflict" });
  });

  test("of a move puts the file back", async () => {
    const { base, files, journal } = journalled();
    await files.write("/a", "1\n");
    await as("1", async () => files.move?.("/a", "/dir/b"));
    expect((await journal.undo({ turnId: "1" })).complete).toBe(true);
    expect(await contents(base)).toEqual({ "/a": "1\n" });
  });

  test("by time restores what was there", async () => {
    const { base, files, journal } = journalled();
    await files.write("/a", "1\n");
    await new Promise((resolve) => setTimeout(resolve, 5));
    const then = new Date().toISOString();
    await files.edit("/a", "1", "2");
    await files.write("/b", "1\n");
    expect((await journal.restoreTo(then)).complete).toBe(true);
    expect(await contents(base)).toEqual({ "/a": "1\n" });
  });

  test.each([{}, { actr: "x" }, { turnId: "" }, { since: "yesterday" }])(
    "refuses the selector %j, so that a misspelt one never selects everything",
    async (selector) => {
      const { files, journal } = journalled();
      await files.write("/a", "1");
      expect((await journal.undo(selector)).code).toBe("invalid_argument");
    },
  );

  test("of 100 edits is 100 conditional writes, and reads nothing", async () => {
    const base = new MemoryBackend();
    const calls: string[] = [];
    const counted = interceptBackend(base, async ({ method, args }, proceed) => {
      for (const file of method === "uploadFiles" ? (args[0] as unknown[][]) : [[]])
        calls.push(`${method}${file[2] === undefined ? "" : " on a condition"}`);
      return proceed();
    });
    const files = withJournal(counted, { store: fileJournal(new MemoryBackend()) });
    for (let n = 0; n < 100; n++) await files.write(`/${n}`, "0\n");
    await as("1", async () => {
      for (let n = 0; n < 100; n++) await files.edit(`/${n}`, "0", "1");
    });
    calls.length = 0;
    expect((await files.journal.undo({ turnId: "1" })).complete).toBe(true);
    expect(calls).toEqual(Array.from({ length: 100 }, () => "uploadFiles on a condition"));
  });
});

test("costs two calls of the journal for a change, and none for a read", async () => {
  const kept = new MemoryBackend();
  let calls = 0;
  const counted = interceptBackend(kept, async (_, proceed) => {
    calls++;
    return proceed();
  });
  const files = withJournal(new MemoryBackend(), { store: fileJournal(counted) });
  await files.write("/a", "1\n");
  for (let n = 1; n < 10; n++) await files.edit("/a", String(n), String(n + 1));
  await files.delete?.("/a");
  expect(calls).toBe(22);
  await files.ls("/");
  await files.read("/a");
  await files.grep("x");
  expect(calls).toBe(22);
});

describe("blame", () => {
  test("names the change behind each line, and what no change is behind", async () => {
    const { base, files, journal } = journalled();
    await base.write("/a.txt", "old\nline 2\nline 3\n");
    await as("1", () => files.edit("/a.txt", "line 2", "LINE 2"), "ann");
    await base.edit("/a.txt", "line 3", "foreign");
    await as("2", () => files.edit("/a.txt", "foreign\n", "foreign\nlast\n"), "bob");
    const { lines = [] } = await journal.blame("/a.txt");
    expect(
      lines.map(({ text, record, unrecorded }) => [text, record?.caller.actor ?? unrecorded]),
    ).toEqual([
      ["old", "before the journal"],
      ["LINE 2", "ann"],
      ["foreign", "outside the journal"],
      ["last", "bob"],
    ]);
  });

  test("is right on a file of 1,000 edits", async () => {
    const { files, journal } = journalled();
    const lines = Array.from({ length: 50 }, (_, n) => `${n}:0\n`);
    await as("start", () => files.write("/a.txt", lines.join("")));
    const expected = Array.from({ length: 50 }, () => "start");
    for (let n = 1; n <= 1000; n++) {
      const line = (n * 37) % 50;
      const old = lines[line] ?? "";
      lines[line] = `${line}:${n}\n`;
      await as(`edit ${n}`, () =>
        files.edit(
          "/a.txt",
          `\n${old}`.slice(line === 0 ? 1 : 0),
          `\n${lines[line]}`.slice(line === 0 ? 1 : 0),
        ),
      );
      expected[line] = `edit ${n}`;
    }
    const blamed = await journal.blame("/a.txt");
    expect(blamed.lines?.map(({ record }) => record?.caller.turnId)).toEqual(expected);
  }, 60_000);
});

describe("retention", () => {
  test("drops old records and the contents that only they had (J11)", async () => {
    const { files, journal, kept } = journalled();
    for (let n = 0; n < 5; n++) await files.write(`/${n}`, `content ${n}`);
    expect(await journal.prune({ maxRecords: 2, graceMs: 0 })).toEqual({ records: 3, contents: 3 });
    expect((await journal.history()).records).toHaveLength(2);
    expect((await kept.glob("/blobs/**")).files).toHaveLength(2);
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

test("a journal is never kept in the backend that it records", () => {
  const base = new MemoryBackend();
  expect(() => withJournal(base, { store: fileJournal(base) })).toThrow(/must not be kept/);
});

test.each([{ content: "none" }, { execute: "scan" }, { stoer: 1 }, { store: undefined }])(
  "refuses the options %j",
  (wrong) => {
    const store = fileJournal(new MemoryBackend());
    expect(() => withJournal(new MemoryBackend(), { store, ...wrong } as never)).toThrow(TypeError);
  },
);
