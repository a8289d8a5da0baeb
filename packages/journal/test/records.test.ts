import { fileJournal, withJournal } from "@fs/journal";
import { interceptBackend, MemoryBackend } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { as, bytes, contents, journalled, summary } from "./journalled.js";

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

  test("has the version that the change answered, and nothing is read after it (J3)", async () => {
    const calls: string[] = [];
    const base = interceptBackend(new MemoryBackend(), async ({ method }, proceed) => {
      calls.push(method);
      return proceed();
    });
    const files = withJournal(base, { store: fileJournal(new MemoryBackend()) });
    await files.write("/a", "1");
    calls.length = 0;
    const { version } = await files.edit("/a", "1", "2");
    expect(calls).toEqual(["downloadFiles", "edit"]);
    const { records } = await files.journal.history("/a");
    expect(records?.at(-1)?.changes[0]?.after?.version).toBe(version);
  });

  test.each(["write", "edit", "uploadFiles"])(
    "is not exact where the caller's condition holds of something else than what was read (J2): %s",
    async (method) => {
      const base = new MemoryBackend();
      await base.write("/a", "read");
      const [seen] = await base.downloadFiles(["/a"]);
      await base.edit("/a", "read", "then");
      const [then] = await base.downloadFiles(["/a"]);
      if (seen?.error !== null || then?.error !== null) throw new Error("It was not read.");
      // Somebody else changed the file between the look and the call.
      const racing = interceptBackend(base, async (call, proceed) => {
        if (call.method === "downloadFiles") return [seen] as never;
        if (call.method === "write") await base.delete("/a");
        return proceed();
      });
      const files = withJournal(racing, { store: fileJournal(new MemoryBackend()) });
      const ifVersion = then.version ?? "";
      if (method === "write") await files.write("/a", "new", { ifAbsent: true });
      else if (method === "edit") await files.edit("/a", "then", "new", false, { ifVersion });
      else await files.uploadFiles?.([["/a", bytes("new"), { ifVersion }]]);
      expect(await contents(base)).toEqual({ "/a": "new" });
      expect((await files.journal.history()).records).toMatchObject([
        { outcome: "done", exact: false },
      ]);
    },
  );

  test("is exact on a condition of the caller's own that is what was read (J2)", async () => {
    const { files, journal } = journalled();
    const { version } = await files.write("/a", "1", { ifAbsent: true });
    await files.edit("/a", "1", "2", false, { ifVersion: version ?? "" });
    await files.uploadFiles?.([["/b", bytes("1"), { ifAbsent: true }]]);
    const { records } = await journal.history();
    expect(records?.map(({ exact }) => exact)).toEqual([true, true, true]);
  });

  test("is not exact where the backend has no versions (J2)", async () => {
    const files = withJournal(withoutVersions(), { store: fileJournal(new MemoryBackend()) });
    await files.write("/a", "1");
    await files.edit("/a", "1", "2");
    const { records = [] } = await files.journal.history("/a");
    expect(records.map(({ outcome, exact }) => [outcome, exact])).toEqual([
      ["done", false],
      ["done", false],
    ]);
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
});

test("a record is the caller's own: changing it changes no other answer (A5)", async () => {
  const base = new MemoryBackend();
  const dying = interceptBackend(base, async ({ method }, proceed, refuse) =>
    method === "edit" ? refuse({ error: "The process has died.", code: "unavailable" }) : proceed(),
  );
  const files = withJournal(dying, { store: fileJournal(new MemoryBackend()) });
  const { journal } = files;
  await as("1", () => files.write("/a", "1\n"));
  await as("2", () => files.edit("/a", "1", "2"));
  const forge = (record: object | undefined): void => {
    const { caller, changes } = record as { caller: object; changes: Array<{ after: object }> };
    Object.assign(caller, { actor: "forged" });
    for (const { after } of changes) if (after !== null) Object.assign(after, { size: 99 });
    Object.assign(changes, [{ path: "/forged" }]);
  };
  const { records: settled } = await journal.settle(0);
  const before = JSON.stringify((await journal.history()).records);
  forge(settled?.[0]);
  for (const record of (await journal.history()).records ?? []) forge(record);
  for (const record of (await journal.history("/a")).records ?? []) forge(record);
  for (const { record } of (await journal.blame("/a")).lines ?? []) forge(record);
  expect(JSON.stringify((await journal.history()).records)).toBe(before);
});

test("a journal is never kept in the backend that it records", () => {
  const base = new MemoryBackend();
  expect(() => withJournal(base, { store: fileJournal(base) })).toThrow(/must not be kept/);
});

test.each([{ content: "none" }, { execute: "look" }, { stoer: 1 }, { store: undefined }])(
  "refuses the options %j",
  (wrong) => {
    const store = fileJournal(new MemoryBackend());
    expect(() => withJournal(new MemoryBackend(), { store, ...wrong } as never)).toThrow(TypeError);
  },
);

test("scans no backend without versions", () => {
  const options = { store: fileJournal(new MemoryBackend()), execute: "scan" } as const;
  expect(() => withJournal(withoutVersions(), options)).toThrow(/must have versions/);
});

function withoutVersions(): MemoryBackend {
  return new Proxy(new MemoryBackend(), {
    get: (target, name) => {
      if (name === "features" || name === "featuresAt") return undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
