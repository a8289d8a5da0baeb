import { fileJournal, withJournal } from "@fs/journal";
import { interceptBackend, MemoryBackend, runAsCaller, type SandboxFilesystem } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { as, bytes, contents, journalled, statuses } from "./journalled.js";

const DOWN = { error: "The storage is down.", code: "unavailable" } as const;

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

  test("trusts versions, not contents: what another actor put back is that actor's", async () => {
    const { base, files, journal } = journalled();
    await as("0", () => files.write("/a", "0\n"));
    await as("1", () => files.edit("/a", "0", "1"));
    await base.edit("/a", "1", "2");
    await base.edit("/a", "2", "1");
    expect(statuses(await journal.undo({ turnId: "1" }))).toEqual({ "/a": "conflict" });
  });

  test.each(["record", "toolCallId", "turnId", "threadId", "actor"] as const)(
    "by %s takes back what it names, and nothing else (J7)",
    async (name) => {
      const { base, files, journal } = journalled();
      for (const own of ["theirs", "ours"])
        await runAsCaller({ actor: own, threadId: own, turnId: own, toolCallId: own }, () =>
          files.write(`/${own}`, own),
        );
      const { records = [] } = await journal.history("/ours");
      const undone = await journal.undo({ [name]: name === "record" ? records[0]?.id : "ours" });
      expect(statuses(undone)).toEqual({ "/ours": "applied" });
      expect(await contents(base)).toEqual({ "/theirs": "theirs" });
    },
  );

  test("orders the changes of a file by their versions, also where clocks disagree (J13)", async () => {
    const { base, files, kept } = journalled();
    await files.write("/a", "1");
    await files.edit("/a", "1", "2");
    await files.edit("/a", "2", "3");
    const store = fileJournal(kept);
    const entries = await store.read({});
    const ids = [...new Set(entries.map(({ id }) => id))].toSorted();
    // As if the clock of whoever came first had been ahead.
    const renamed = new Map(ids.map((id, index) => [id, ids.at(-1 - index) ?? id]));
    const ahead = fileJournal(new MemoryBackend());
    await ahead.append(
      entries.map((entry) => ({ ...entry, id: renamed.get(entry.id) ?? entry.id })),
      ["1", "2", "3"].map(bytes),
    );
    const { journal } = withJournal(base, { store: ahead });
    const { lines } = await journal.blame("/a");
    expect(lines?.[0]?.record?.id).toBe(ids[0]);
    expect(await journal.undo({ since: new Date(0).toISOString() })).toMatchObject({
      complete: true,
    });
    expect(await contents(base)).toEqual({});
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

  test("names the files of calls whose outcome is not known, and is not complete (J6)", async () => {
    const base = new MemoryBackend();
    const lossy = interceptBackend(base, async ({ method }, proceed, refuse) => {
      const answer = await proceed();
      return method === "write" ? refuse(DOWN) : answer;
    });
    const files = withJournal(lossy, { store: fileJournal(new MemoryBackend()) });
    await base.write("/b", "1");
    await as("7", async () => {
      await files.write("/a", "1");
      await files.edit("/b", "1", "2");
    });
    const undone = await files.journal.undo({ turnId: "7" });
    expect(undone.complete).toBe(false);
    expect(statuses(undone)).toEqual({ "/a": "failed", "/b": "applied" });
    const rest = await files.journal.undo({ turnId: "7", only: "/b" });
    expect(rest.complete).toBe(true);
    // Once it is found out that it was done, it is taken back.
    await files.journal.settle(0);
    expect((await files.journal.undo({ turnId: "7" })).complete).toBe(true);
    expect(await contents(base)).toEqual({ "/b": "1" });
  });

  test("of a command that has not ended is not complete (J6, J12)", async () => {
    const base = new MemoryBackend();
    const execute = async (): Promise<object> => ({ error: "It is lost.", code: "unavailable" });
    const wrapped = interceptBackend(base, async (_, proceed) => proceed());
    const sandbox = Object.assign(wrapped, { id: "box", execute });
    const files = withJournal(sandbox, { store: fileJournal(new MemoryBackend()) });
    await as("7", () => (files as unknown as SandboxFilesystem).execute("make"));
    expect(await files.journal.undo({ turnId: "7" })).toMatchObject({ complete: false, paths: [] });
  });

  test("that failed in part is not redone as if it had done nothing (J6)", async () => {
    const base = new MemoryBackend();
    let down = false;
    const flaky = interceptBackend(base, async ({ method, args }, proceed, refuse) =>
      down && method === "uploadFiles" && JSON.stringify(args[0]).includes('"/b"')
        ? refuse(DOWN)
        : proceed(),
    );
    const files = withJournal(flaky, { store: fileJournal(new MemoryBackend()) });
    for (const path of ["/a", "/b"]) await files.write(path, "1");
    await as("7", async () => {
      for (const path of ["/a", "/b"]) await files.edit(path, "1", "2");
    });
    down = true;
    const undone = await files.journal.undo({ turnId: "7" });
    expect(statuses(undone)).toEqual({ "/a": "applied", "/b": "failed" });
    down = false;
    const redone = await files.journal.redo(undone.record ?? "");
    expect(redone.complete).toBe(false);
    expect(statuses(redone)).toEqual({ "/a": "failed", "/b": "failed" });
    await files.journal.settle(0);
    expect((await files.journal.redo(undone.record ?? "")).complete).toBe(true);
    expect(await contents(base)).toEqual({ "/a": "2", "/b": "2" });
  });

  test.each([{}, { actr: "x" }, { turnId: "" }, { since: "yesterday" }])(
    "refuses the selector %j, so that a misspelt one never selects everything",
    async (selector) => {
      const { files, journal } = journalled();
      await files.write("/a", "1");
      expect((await journal.undo(selector)).code).toBe("invalid_argument");
    },
  );
});
