import { lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { fileJournal, withJournal } from "@fs/journal";
import { interceptBackend, MemoryBackend, withPermissions } from "@fs/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bytes, contents, statuses } from "./journalled.js";

describe("a link on disk", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "journal-links-"));
    writeFileSync(join(root, "target"), "1");
    symlinkSync("target", join(root, "link"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test("is removed as a link, and recorded without an image (D3, J2)", async () => {
    const store = fileJournal(new MemoryBackend());
    const files = withJournal(new FilesystemBackend({ rootDir: root }), { store });
    expect((await files.delete?.("/link"))?.error).toBeUndefined();
    expect(() => lstatSync(join(root, "link"))).toThrow("ENOENT");
    expect((await files.readRaw("/target")).error).toBeUndefined();
    const { records = [] } = await files.journal.history("/link");
    expect(records).toMatchObject([{ method: "delete", outcome: "done", exact: false }]);
    expect(records[0]?.changes[0]?.before?.hash).toBeUndefined();
    const undone = await files.journal.undo({ record: records[0]?.id ?? "" });
    expect(statuses(undone)).toEqual({ "/link": "failed" });
  });

  test("refuses itself alone in a batch (T1)", async () => {
    const store = fileJournal(new MemoryBackend());
    const files = withJournal(new FilesystemBackend({ rootDir: root }), { store });
    const answers = await files.uploadFiles?.([
      ["/ok", bytes("1")],
      ["/link", bytes("1")],
    ]);
    expect(answers).toMatchObject([{ error: null }, { code: "permission_denied" }]);
    expect((await files.journal.history()).records).toMatchObject([
      { outcome: "done", changes: [{ path: "/ok" }] },
    ]);
  });
});

describe("where files may be written and not read", () => {
  const dropBox = (base: MemoryBackend) =>
    withJournal(
      withPermissions(base, [{ operations: ["read"], paths: ["/drop/**"], mode: "deny" }]),
      { store: fileJournal(new MemoryBackend()) },
    );

  test("changes are made and recorded without an image (J2)", async () => {
    const base = new MemoryBackend();
    await base.write("/a", "1");
    const plain = withPermissions(base, [
      { operations: ["read"], paths: ["/drop/**"], mode: "deny" },
    ]);
    const files = dropBox(base);
    expect((await files.write("/drop/a", "1")).error).toBeUndefined();
    expect(await files.uploadFiles?.([["/drop/b", bytes("1")]])).toMatchObject([{ error: null }]);
    // What the backend itself says, the journal does not change.
    const copied = await plain.copy?.("/a", "/drop/c");
    expect((await files.copy?.("/a", "/drop/d"))?.code).toBe(copied?.code);
    const { records = [] } = await files.journal.history();
    expect(records.map(({ exact, outcome }) => [exact, outcome]).slice(0, 2)).toEqual([
      [false, "done"],
      [false, "done"],
    ]);
    expect((await contents(base))["/drop/b"]).toBe("1");
  });
});

test("a file of a batch that cannot be looked at is refused alone (T1, J1)", async () => {
  const base = new MemoryBackend();
  const flaky = interceptBackend(base, async ({ method, args }, proceed, refuse) => {
    if (method !== "downloadFiles") return proceed();
    const down = refuse({ error: "The storage is down.", code: "unavailable" }) as unknown[];
    const answers = (await proceed()) as unknown[];
    const mixed = (args[0] as string[]).map((path, at) => (path === "/b" ? down : answers)[at]);
    return mixed as never;
  });
  const files = withJournal(flaky, { store: fileJournal(new MemoryBackend()) });
  const batch = ["/a", "/b", "/c"].map((path): [string, Uint8Array] => [path, bytes("1")]);
  expect(await files.uploadFiles?.(batch)).toMatchObject([
    { path: "/a", error: null },
    { path: "/b", code: "unavailable" },
    { path: "/c", error: null },
  ]);
  expect(await contents(base)).toEqual({ "/a": "1", "/c": "1" });
  expect((await files.journal.history()).records).toMatchObject([
    { outcome: "done", exact: true, changes: [{ path: "/a" }, { path: "/c" }] },
  ]);
});
