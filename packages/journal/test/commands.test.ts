import { fileJournal, withJournal } from "@fs/journal";
import { interceptBackend, MemoryBackend, type SandboxFilesystem } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { contents, statuses, summary } from "./journalled.js";

describe("a record", () => {
  test("of a command is the command and its exit code, or there are no commands (J12)", async () => {
    const { sandbox } = commands(async () => 3);
    const store = fileJournal(new MemoryBackend());
    const files = withJournal(sandbox, { store });
    await run(files, "rm -rf /tmp/x");
    const { records } = await files.journal.history();
    expect(records).toMatchObject([
      { method: "execute", command: "rm -rf /tmp/x", exitCode: 3, changes: [], exact: false },
    ]);
    expect("execute" in withJournal(sandbox, { store, execute: "refuse" })).toBe(false);
  });

  test("of a scanned command is each file that has another version afterwards (J12)", async () => {
    const { base, sandbox } = commands(async (files) => {
      await files.edit("/known", "1", "2");
      await files.edit("/foreign", "1", "2");
      await files.write("/new", "1\n");
      await files.delete("/gone");
      return 0;
    });
    await base.write("/foreign", "1\nold\n");
    const store = fileJournal(new MemoryBackend());
    const files = withJournal(sandbox, { store, execute: "scan" });
    const { journal } = files;
    for (const path of ["/known", "/gone", "/same"]) await files.write(path, "1\n");
    await run(files, "make");
    const { records = [] } = await journal.history();
    expect(summary(records.slice(-1))).toEqual([
      [
        "execute",
        "done",
        undefined,
        [
          ["/foreign", 6, 6],
          ["/gone", 2, null],
          ["/known", 2, 2],
          ["/new", null, 2],
        ],
      ],
    ]);
    const [line, old] = (await journal.blame("/foreign")).lines ?? [];
    expect([line?.unrecorded, old?.unrecorded]).toEqual([
      "before the journal",
      "before the journal",
    ]);
    const known = await journal.blame("/known");
    expect(known.lines).toMatchObject([{ record: { method: "execute" } }]);
    // What no record had the content of stays, and the answer names it.
    const undone = await journal.undo({ record: records.at(-1)?.id ?? "" });
    expect(statuses(undone)).toEqual({
      "/foreign": "failed",
      "/gone": "applied",
      "/known": "applied",
      "/new": "applied",
    });
    expect(await contents(base)).toEqual({
      "/foreign": "2\nold\n",
      "/gone": "1\n",
      "/known": "1\n",
      "/same": "1\n",
    });
  });

  test("of a command whose files cannot be looked at afterwards is unknown, and before it is not run (J1, J12)", async () => {
    const { base, sandbox } = commands(async (files) => {
      await files.write("/new", "1\n");
      down = true;
      return 0;
    });
    let down = false;
    const listing = interceptBackend(sandbox, async ({ method }, proceed, refuse) =>
      method === "glob" && down
        ? refuse({ error: "The storage is down.", code: "unavailable" })
        : proceed(),
    );
    const errors: unknown[] = [];
    const store = fileJournal(new MemoryBackend());
    const onError = (error: unknown): void => void errors.push(error);
    const files = withJournal(listing, { store, execute: "scan", onError });
    expect(await run(files, "first")).toMatchObject({ exitCode: 0 });
    expect(errors).toMatchObject([{ code: "unavailable" }]);
    expect(await run(files, "second")).toMatchObject({ code: "unavailable" });
    down = false;
    const { records } = await files.journal.history();
    expect(records).toMatchObject([{ command: "first", outcome: "unknown", exitCode: 0 }]);
    expect(await contents(base)).toEqual({ "/new": "1\n" });
  });
});

/** A backend with files whose only command does this and ends with what that returns. */
function commands(work: (files: MemoryBackend) => Promise<number>) {
  const base = new MemoryBackend();
  const execute = async (): Promise<object> => {
    const exitCode = await work(base);
    return { output: "", exitCode, truncated: false };
  };
  const wrapped = interceptBackend(base, async (_, proceed) => proceed());
  return { base, sandbox: Object.assign(wrapped, { id: "box", execute }) };
}

async function run(files: object, command: string): Promise<unknown> {
  return (files as SandboxFilesystem).execute(command);
}
