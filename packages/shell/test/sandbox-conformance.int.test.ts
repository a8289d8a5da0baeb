import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { conformance } from "@fs/conformance/vitest";
import { BubblewrapSandbox } from "@fs/shell";
import { HUNDREDS_OF_CALLS, WAITING_GROUPS } from "@fs/test-servers/variants";
import { describeWithServer } from "@fs/test-servers/vitest";
import { base, directory, SANDBOX_TIMEOUT_MS, sandboxProfile } from "./conformance-harness.js";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

/**
 * Every call starts processes here, so these runs leave out what is slow and does not depend on the tools: the run on GNU
 * tools beside this file has it all. `FS_TEST_ALL_SANDBOXES=1` leaves nothing out.
 */
const options =
  process.env["FS_TEST_ALL_SANDBOXES"] === "1"
    ? { skip: [] }
    : {
        skip: [
          ...HUNDREDS_OF_CALLS,
          ...WAITING_GROUPS,
          "model/*",
          "matrix/*",
          "peer/*",
          "twin/*",
          "scale/*",
          "guard/*",
          "hooks/*",
          "wrap/*",
          "conc/*",
          "encoding/*",
          "fresh/*",
          "growth/*",
          "fault/*",
        ],
      };

/** What the GNU tools answer alike whether or not they are shut in. */
const SAME_TOOLS =
  process.env["FS_TEST_ALL_SANDBOXES"] === "1"
    ? []
    : [
        "edit/*",
        "multi-edit/*",
        "ls/*",
        "glob/*",
        "grep/*",
        "read/*",
        "copy/*",
        "move/*",
        "storage/*",
        "version/*",
        "path/*",
        "explore/*",
      ];

describeWithServer("busybox", "BaseSandbox on BusyBox", () => {
  const tools = join(base, "busybox-tools");
  mkdirSync(tools);
  execFileSync("busybox", ["--install", "-s", tools]);
  conformance(
    {
      name: "local process sandbox, BusyBox tools",
      create: ({ ns }) => new LocalProcessSandbox({ rootDir: directory(ns), tools }),
      peer: ({ ns }) => new LocalProcessSandbox({ rootDir: directory(ns), tools }),
      secrets: [base],
      timeoutMs: SANDBOX_TIMEOUT_MS,
      profile: { ...sandboxProfile, durable: false },
    },
    options,
  );
});

describeWithServer("bubblewrap", "BubblewrapSandbox", () => {
  conformance(
    {
      name: "bubblewrap sandbox",
      create: ({ ns }) =>
        new BubblewrapSandbox({ workspace: directory(ns), rootDir: "/workspace" }),
      reopen: ({ ns }) =>
        new BubblewrapSandbox({ workspace: directory(ns), rootDir: "/workspace" }),
      secrets: [base],
      timeoutMs: SANDBOX_TIMEOUT_MS,
      profile: { ...sandboxProfile, execute: { sharesFiles: true } },
    },
    { skip: [...options.skip, ...SAME_TOOLS] },
  );
});
