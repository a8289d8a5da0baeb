import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExecuteOptions, ExecuteResponse } from "@fs/protocol";
import { gate } from "@fs/test-servers";
import { expect, onTestFinished, test } from "vitest";
import { shellText } from "../src/sandbox/shell-text.js";
import { LocalProcessSandbox } from "./local-process-sandbox.js";
import { sandboxWith } from "./sandbox-with-tools.js";

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), "fs-shell-refusals-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

test("a file that may be linked and not removed is where it was, and nowhere else", async () => {
  const root = folder();
  const tools = folder();
  const rm = '#!/bin/sh\ncase "$*" in *kept.txt) exit 1 ;; esac\nexec /bin/rm "$@"\n';
  writeFileSync(join(tools, "rm"), rm);
  chmodSync(join(tools, "rm"), 0o755);
  writeFileSync(join(root, "kept.txt"), "one\n");
  const sandbox = new LocalProcessSandbox({ rootDir: root, tools });
  expect(await sandbox.move("/kept.txt", "/new.txt")).toMatchObject({ code: "permission_denied" });
  expect(readdirSync(root)).toEqual(["kept.txt"]);
});

test("a file whose bytes do not come whole is no answer, and not missing", async () => {
  const [sandbox, root] = sandboxWith({
    base64: ['/bin/base64 "$@" | /usr/bin/head -n 1', "exit 1"],
  });
  writeFileSync(join(root, "a.txt"), "some line of the file\n".repeat(100));
  expect(await sandbox.read("/a.txt")).toMatchObject({ code: "unavailable" });
  expect(await sandbox.readRaw("/a.txt")).toMatchObject({ code: "unavailable" });
});

test.each(["\n", "\n\n", " ", "0"])("the version with %j behind it is another", async (more) => {
  const root = folder();
  const sandbox = new LocalProcessSandbox({ rootDir: root });
  const { version } = await sandbox.write("/a.txt", "one\n");
  const ifVersion = `${version}${more}`;
  const two = new TextEncoder().encode("two\n");
  const [put] = await sandbox.uploadFiles([["/a.txt", two, { ifVersion }]]);
  const batch = await sandbox.uploadFiles([
    ["/a.txt", two, { ifVersion }],
    ["/b.txt", two],
  ]);
  const edited = await sandbox.edit("/a.txt", "one", "two", false, { ifVersion });
  const removed = await sandbox.delete("/a.txt", { ifVersion });
  const codes = [put, batch[0], edited, removed].map((answer) => answer?.code);
  expect(codes).toEqual(["conflict", "conflict", "conflict", "conflict"]);
  expect(await sandbox.read("/a.txt")).toMatchObject({ content: "one\n" });
});

/** Commands that see a staging folder which accepts no changes. */
class ReadOnlyStaging extends LocalProcessSandbox {
  readOnly = false;

  override execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    if (!this.readOnly) return super.execute(command, options);
    const inside = `mount -t tmpfs -o ro tmpfs /tmp/.fs-sandbox && eval ${shellText(command)}`;
    return super.execute(`unshare -m /bin/sh -c ${shellText(inside)}`, options);
  }
}

const canMount = process.getuid?.() === 0 && spawnSync("unshare", ["-m", "true"]).status === 0;

test.runIf(canMount)("where no lock can be made none is waited for (needs root)", async () => {
  const root = folder();
  writeFileSync(join(root, "a.txt"), "one\n");
  const sandbox = new ReadOnlyStaging({ rootDir: root });
  expect(await sandbox.read("/a.txt")).toMatchObject({ content: "one\n" });
  sandbox.readOnly = true;
  expect(await sandbox.delete("/a.txt")).toMatchObject({ code: "permission_denied" });
  expect(await sandbox.read("/a.txt")).toMatchObject({ content: "one\n" });
});

/** A sandbox whose first command waits. */
class SlowStart extends LocalProcessSandbox {
  readonly begin = gate();

  override async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    await this.begin.opened;
    return super.execute(command, options);
  }
}

test("a call that is aborted while the sandbox starts takes no other call with it", async () => {
  const root = folder();
  mkdirSync(join(root, "d"));
  const sandbox = new SlowStart({ rootDir: root });
  const controller = new AbortController();
  const first = sandbox.ls("/", { signal: controller.signal });
  const second = sandbox.ls("/");
  controller.abort();
  expect(await first).toMatchObject({ code: "aborted" });
  sandbox.begin.open();
  expect(await second).toMatchObject({ files: [{ path: "/d/" }] });
});
