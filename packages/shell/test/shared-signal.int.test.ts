import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalShellBackend } from "@fs/shell";
import { leakWarnings } from "@fs/test-servers/leak-warnings";
import { expect, onTestFinished, test } from "vitest";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

const COUNT = 24;

function temporaryRoot(): string {
  const rootDir = mkdtempSync(join(tmpdir(), "fs-shell-signal-"));
  onTestFinished(() => rmSync(rootDir, { recursive: true, force: true }));
  return rootDir;
}

test("many commands of a run, whose signal they share, are no leak", async () => {
  const shell = new LocalShellBackend({ rootDir: temporaryRoot() });
  const warnings = await leakWarnings((signal) =>
    Promise.all(Array.from({ length: COUNT }, () => shell.execute("sleep 0.2", { signal }))),
  );
  expect(warnings).toEqual([]);
});

test("neither are the files of one batch, and reads at once, of a sandbox", async () => {
  const sandbox = new LocalProcessSandbox({ rootDir: temporaryRoot() });
  const paths = Array.from({ length: COUNT }, (_, at) => `/${at}.bin`);
  const warnings = await leakWarnings(async (signal) => {
    await sandbox.uploadFiles(
      paths.map((path) => [path, new Uint8Array([0])]),
      { signal },
    );
    await Promise.all(paths.map((path) => sandbox.readRaw(path, { signal })));
  });
  expect(warnings).toEqual([]);
});
