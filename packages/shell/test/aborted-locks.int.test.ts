import { chmodSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { lockOf } from "../src/sandbox/sandbox-commands.js";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

const encoder = new TextEncoder();

/** A sandbox in which `mv` takes its time: a change is under its lock meanwhile. */
function slowSandbox(rootDir: string): LocalProcessSandbox {
  const tools = mkdtempSync(join(tmpdir(), "fs-slow-tools-"));
  writeFileSync(join(tools, "mv"), '#!/bin/sh\nsleep 0.4\nexec /bin/mv "$@"\n');
  chmodSync(join(tools, "mv"), 0o755);
  return new LocalProcessSandbox({ tools, rootDir });
}

const change = {
  upload: (sandbox, signal) => sandbox.uploadFiles([["/a.txt", encoder.encode("b")]], { signal }),
  "upload of several": (sandbox, signal) => {
    const bytes = encoder.encode("b");
    return sandbox.uploadFiles(
      [
        ["/a.txt", bytes],
        ["/b.txt", bytes],
      ],
      { signal },
    );
  },
  edit: (sandbox, signal) => sandbox.edit("/a.txt", "a", "b", false, { signal }),
  move: (sandbox, signal) => sandbox.move("/a.txt", "/c.txt", { overwrite: true, signal }),
} satisfies Record<string, (sandbox: LocalProcessSandbox, signal: AbortSignal) => Promise<unknown>>;

test.each(Object.entries(change))(
  "%s that is aborted under its lock leaves the lock to the next change",
  async (_, aborted) => {
    const rootDir = mkdtempSync(join(tmpdir(), "fs-locks-"));
    const sandbox = slowSandbox(rootDir);
    await sandbox.write("/a.txt", "a");
    const controller = new AbortController();
    const pending = aborted(sandbox, controller.signal);
    const lock = lockOf(`${rootDir}/a.txt`);
    while (!existsSync(lock)) await delay(5);
    controller.abort();
    await pending;
    const [stored] = await sandbox.uploadFiles([["/a.txt", encoder.encode("last")]]);
    expect(stored).toMatchObject({ error: null });
    expect((await sandbox.read("/a.txt")).content).toBe("last");
  },
);
