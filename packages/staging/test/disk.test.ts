import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conformance } from "@fs/conformance/vitest";
import { FilesystemBackend } from "@fs/disk";
import { earns } from "./earns.js";
import { SPLITS, STORED_ELSEWHERE } from "./splits.js";
import { stagingOver } from "./staging-over.js";

for (const split of SPLITS) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fs-staging-")));
  const open = (ns: string, layer: string): FilesystemBackend =>
    new FilesystemBackend({ rootDir: join(root, ns, layer) });
  conformance(
    stagingOver(
      {
        name: "disk",
        create: ({ ns }) => open(ns, "base"),
        reopen: ({ ns }) => open(ns, "base"),
        teardown: () => rmSync(root, { recursive: true, force: true }),
        // Together with the root, and the letters of the entries, a longer path passes PATH_MAX.
        profile: { durable: true, limits: { pathBytes: 3000 } },
        secrets: [root],
        // Each change is several of the disk's.
        timeoutMs: 60_000,
      },
      { split, upper: (ns) => open(ns, "upper") },
    ),
    { ...STORED_ELSEWHERE, onReport: earns("core", "safe", "durable") },
  );
}
