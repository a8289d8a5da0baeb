import { fileJournal, withJournal } from "@fs/journal";
import { interceptBackend, MemoryBackend, type SandboxFilesystem } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { as, bytes } from "./journalled.js";

describe("calls of the journal", () => {
  const [kept, base] = [new MemoryBackend(), new MemoryBackend()];
  let calls = 0;
  const counted = interceptBackend(kept, async (_, proceed) => {
    calls++;
    return proceed();
  });
  const sandbox = Object.assign(
    interceptBackend(base, async (_, proceed) => proceed()),
    { id: "box", execute: async () => ({ output: "", exitCode: 0, truncated: false }) },
  );
  const store = fileJournal(counted);
  const files = withJournal(sandbox, { store, execute: "scan" });
  const methods = files as unknown as Required<SandboxFilesystem>;
  const during = async (call: () => unknown): Promise<number> => {
    calls = 0;
    const answer: unknown = await call();
    expect(JSON.stringify(answer)).not.toContain('"code"');
    return calls;
  };

  test("are two for each change, of one file or of many", async () => {
    const changes: Record<string, () => unknown> = {
      write: () => methods.write("/a", "1\n"),
      edit: () => methods.edit("/a", "1", "2"),
      multiEdit: () => methods.multiEdit("/a", [{ old: "2", new: "3" }]),
      uploadFiles: () =>
        methods.uploadFiles([
          ["/d/b", bytes("b")],
          ["/d/c", bytes("c")],
        ]),
      "move of a directory": () => methods.move("/d", "/e"),
      "copy of a directory": () => methods.copy("/e", "/f"),
      "delete of a directory": () => methods.delete("/f"),
      "delete of a file": () => methods.delete("/a"),
      execute: () => methods.execute("make"),
    };
    for (const [name, change] of Object.entries(changes))
      expect([name, await during(change)]).toEqual([name, 2]);
  });

  test("are none for a read", async () => {
    const reads: Record<string, () => unknown> = {
      ls: () => methods.ls("/"),
      stat: () => methods.stat("/e/b"),
      read: () => methods.read("/e/b"),
      readRaw: () => methods.readRaw("/e/b"),
      glob: () => methods.glob("**/*"),
      grep: () => methods.grep("b"),
      downloadFiles: () => methods.downloadFiles(["/e/b"]),
    };
    for (const [name, read] of Object.entries(reads))
      expect([name, await during(read)]).toEqual([name, 0]);
  });
});

test("an undo of 100 edits is 100 conditional writes, and reads nothing", async () => {
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
