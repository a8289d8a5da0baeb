import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conformance } from "@fs/conformance/vitest";
import { FilesystemBackend } from "@fs/disk";
import { overNode, SKIPPED } from "./volume-over-node.js";

// What the mapping to Node loses on its way there and back fails a rule.
const base = realpathSync(mkdtempSync(join(tmpdir(), "fs-node-trip-")));
conformance(
  {
    name: "a directory through node",
    // Each call is a few of Node's.
    timeoutMs: 60_000,
    create: ({ ns }) =>
      overNode(new FilesystemBackend({ rootDir: join(base, ns) }), { directories: "real" }),
    teardown: () => rmSync(base, { recursive: true, force: true }),
    profile: { directories: "real", limits: { pathBytes: 3500 } },
    secrets: [base],
  },
  // Its own hook is the only way in which this volume removes a directory, as `rmdir` refuses one that exists.
  { skip: ["hooks/changes", ...SKIPPED] },
);
