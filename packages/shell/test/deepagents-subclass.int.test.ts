import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ExecuteResponse, FileDownloadResponse, FileUploadResponse } from "deepagents";
import { expect, onTestFinished, test } from "vitest";
import { BaseSandbox } from "@fs/shell";

/** A sandbox as one writes it for `deepagents`: four members, and nothing of this package. */
class ForeignSandbox extends BaseSandbox {
  readonly id = "foreign";

  execute(command: string): Promise<ExecuteResponse> {
    return new Promise((resolve) => {
      execFile("/bin/sh", ["-c", command], (error, output) => {
        const exitCode = error === null ? 0 : Number(error.code ?? 1);
        resolve({ output, exitCode, truncated: false });
      });
    });
  }

  override async uploadFiles(files: Array<[string, Uint8Array]>): Promise<FileUploadResponse[]> {
    return files.map(([path, bytes]) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
      return { path, error: null };
    });
  }

  override async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    return paths.map((path) => {
      try {
        return { path, content: readFileSync(path), error: null };
      } catch {
        return { path, content: null, error: "file_not_found" as const };
      }
    });
  }
}

test("a subclass written for deepagents works as it is", async () => {
  const root = mkdtempSync(join(tmpdir(), "fs-foreign-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const sandbox = new ForeignSandbox();
  const file = `${root}/notes/a.txt`;
  const large = "line\n".repeat(40_000);
  expect((await sandbox.write(file, "one\ntwo\n")).error).toBeUndefined();
  expect((await sandbox.write(file, "again")).code).toBe("already_exists");
  expect((await sandbox.edit(file, "two", "2")).occurrences).toBe(1);
  expect((await sandbox.read(file)).content).toBe("one\n2\n");
  expect((await sandbox.write(`${root}/large.txt`, large)).error).toBeUndefined();
  const whole = (await sandbox.readRaw(`${root}/large.txt`)).data;
  expect(whole?.content).toBe(large);
  expect((await sandbox.grep("2", root)).matches).toEqual([{ path: file, line: 2, text: "2" }]);
  expect((await sandbox.read(`${root}/none`)).code).toBe("not_found");
  const [download] = await sandbox.downloadFiles([file]);
  expect(Buffer.from(download?.content ?? []).toString()).toBe("one\n2\n");
  expect((await sandbox.delete(file)).error).toBeUndefined();
});

test("one that can move no bytes says what it lacks", async () => {
  class Mute extends BaseSandbox {
    readonly id = "mute";
    execute = ForeignSandbox.prototype.execute;
  }
  const { code, error } = await new Mute().write("/tmp/fs-mute.txt", "x");
  expect(code).toBe("unsupported");
  expect(error).toContain("'uploadFiles'");
});
