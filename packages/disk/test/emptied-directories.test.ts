import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import {
  CompositeBackend,
  type Filesystem,
  MemoryBackend,
  readOnly,
  withAudit,
  withPermissions,
  withQuota,
} from "@fs/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "fs-emptied-"));
  mkdirSync(join(root, "docs", "empty"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A move to another mount, which removes the directories that it has emptied. */
async function moved(wrap: (backend: Filesystem) => Filesystem): Promise<void> {
  const wrapped = wrap(new FilesystemBackend({ rootDir: root }));
  const files = new CompositeBackend(new MemoryBackend(), { "/from/": wrapped });
  await files.move("/from/docs", "/docs");
}

const denied =
  (...operations: Array<"delete" | "write">) =>
  (backend: Filesystem): Filesystem =>
    withPermissions(backend, [{ operations, paths: ["/docs/**"], mode: "deny" }]);

describe("directories that a move would empty", () => {
  it.each([
    ["read-only", readOnly],
    ["under permissions that deny to delete", denied("delete")],
    ["under permissions that deny to write", denied("write")],
  ])("stay %s", async (_, wrap) => {
    await moved(wrap);
    expect(existsSync(join(root, "docs", "empty"))).toBe(true);
  });

  it("go under permissions about other places, and under a quota", async () => {
    await moved((backend) =>
      withQuota(
        withPermissions(backend, [{ operations: ["delete"], paths: ["/x/**"], mode: "deny" }]),
        { files: 9 },
      ),
    );
    expect(existsSync(join(root, "docs"))).toBe(false);
  });

  it("are reported to an audit", async () => {
    writeFileSync(join(root, "docs", "a"), "a");
    const reported: string[] = [];
    await moved((backend) =>
      withAudit(backend, ({ method, accesses }) => {
        reported.push(`${method} ${accesses.map(({ path }) => path).join()}`);
      }),
    );
    expect(reported).toContain("delete /docs");
    expect(existsSync(join(root, "docs"))).toBe(false);
  });
});
