import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import {
  CompositeBackend,
  type Filesystem,
  interceptBackend,
  MemoryBackend,
  readOnly,
  withAudit,
  withPermissions,
  withQuota,
} from "@fs/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeFile } from "../src/file/remove-file.js";
import { openTree } from "../src/tree/open-tree.js";

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

  it("stay where another program has put a file in the place of one meanwhile (A7)", async () => {
    const place = join(root, "docs");
    await moved((backend) =>
      interceptBackend(backend, async ({ method }, proceed) => {
        if (method === "delete") {
          rmSync(place, { recursive: true });
          writeFileSync(place, "of another");
        }
        return proceed();
      }),
    );
    expect(readFileSync(place, "utf8")).toBe("of another");
  });

  it("stay, as files do, where only an empty directory may go", async () => {
    writeFileSync(join(root, "file"), "kept");
    const ifEmpty = { ifEmpty: true };
    const tree = openTree(root);
    expect(await removeFile(tree, "/file", ifEmpty, false)).toBe(false);
    expect(await removeFile(tree, "/docs/empty", ifEmpty, false)).toBe(true);
    expect(existsSync(join(root, "file"))).toBe(true);
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
