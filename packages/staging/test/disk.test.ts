import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conformance } from "@fs/conformance/vitest";
import { FilesystemBackend } from "@fs/disk";
import { stagingOver } from "./staging-over.js";

for (const split of [false, true]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fs-staging-")));
  const open = (ns: string, layer: string): FilesystemBackend =>
    new FilesystemBackend({ rootDir: join(root, ns, layer) });
  conformance(
    stagingOver(
      {
        name: "disk",
        create: ({ ns }) => open(ns, "base"),
        teardown: () => rmSync(root, { recursive: true, force: true }),
        secrets: [root],
      },
      { split, upper: (ns) => open(ns, "upper") },
    ),
  );
}
