import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A fresh directory of the host, removed after the test. */
export function temporaryRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fs-disk-test-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}
