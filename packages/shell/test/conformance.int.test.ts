import { conformance } from "@fs/conformance/vitest";
import { EXPLORATIONS, LEFT_TO_CHECKS, SHORT } from "@fs/test-servers/variants";
import { base, directory, SANDBOX_TIMEOUT_MS, sandboxProfile } from "./conformance-harness.js";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

/**
 * Hundreds of commands each: batches.int.test.ts counts the commands of a thousand files. Edits are made above a sandbox, what
 * it finds is matched again above it, and the long races are run on storages with clients of their own.
 */
const HEAVY =
  process.env["FS_TEST_ALL_SANDBOXES"] === "1"
    ? []
    : [
        // Names are written into commands here, so that their corners are explored.
        ...(SHORT.skip ?? []).filter((pattern) => pattern !== EXPLORATIONS),
        "scale/directory-*",
        "scale/tree-*",
        "scale/batch-601",
        "scale/*-260-files",
        "scale/*-thirty-files",
        "scale/*-across-borders",
        "upload/same-bytes-again",
        "version/of-every-change",
        "guard/transfer-aborted-in-between",
        "twin/*",
        "growth/*",
        "encoding/every-*",
        "encoding/texts-like-formats",
        "fresh/beside-looks",
        "fresh/as-written",
        "*/aborted-after-reads",
        "conc/changes-in-moving-directory",
        "conc/copies-to-one-target",
        "conc/last-of-a-directory-and-new",
        "conc/newcomers-beside-copies",
        "conc/no-race-no-conflict",
        "conc/transfers",
        "conc/moves-over-one",
        "conc/opposite-orders",
        "conc/versioned-beside-changes",
      ];

conformance(
  {
    name: "local process sandbox, GNU tools",
    create: ({ ns }) => new LocalProcessSandbox({ rootDir: directory(ns) }),
    peer: ({ ns }) => new LocalProcessSandbox({ rootDir: directory(ns) }),
    reopen: ({ ns }) => new LocalProcessSandbox({ rootDir: directory(ns) }),
    secrets: [base],
    timeoutMs: SANDBOX_TIMEOUT_MS,
    profile: sandboxProfile,
  },
  { skip: [...HEAVY, ...LEFT_TO_CHECKS] },
);
