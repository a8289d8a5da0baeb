import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conformance } from "@fs/conformance/vitest";
import { BubblewrapSandbox, LocalShellBackend } from "@fs/shell";
import { describeWithServer } from "@fs/test-servers/vitest";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

const base = mkdtempSync(join(tmpdir(), "fs-shell-conformance-"));

function directory(ns: string): string {
  const path = join(base, ns);
  mkdirSync(path, { recursive: true });
  return path;
}

conformance({
  name: "local shell",
  create: ({ ns }) => new LocalShellBackend({ rootDir: directory(ns) }),
  peer: ({ ns }) => new LocalShellBackend({ rootDir: directory(ns) }),
  reopen: ({ ns }) => new LocalShellBackend({ rootDir: directory(ns) }),
  secrets: [base],
  profile: {
    directories: "real",
    symlinks: "reject",
    execute: { sharesFiles: true },
    durable: true,
  },
});

const sandboxProfile = {
  directories: "real",
  times: "observed",
  execute: true,
  durable: true,
} as const;

conformance({
  name: "local process sandbox, GNU tools",
  create: ({ ns }) => new LocalProcessSandbox({ root: directory(ns) }),
  peer: ({ ns }) => new LocalProcessSandbox({ root: directory(ns) }),
  reopen: ({ ns }) => new LocalProcessSandbox({ root: directory(ns) }),
  secrets: [base],
  profile: sandboxProfile,
});

describeWithServer("busybox", "BaseSandbox on BusyBox", () => {
  const tools = join(base, "busybox-tools");
  mkdirSync(tools);
  execFileSync("busybox", ["--install", "-s", tools]);
  conformance({
    name: "local process sandbox, BusyBox tools",
    create: ({ ns }) => new LocalProcessSandbox({ root: directory(ns), tools }),
    peer: ({ ns }) => new LocalProcessSandbox({ root: directory(ns), tools }),
    secrets: [base],
    profile: { ...sandboxProfile, durable: false },
  });
});

describeWithServer("bubblewrap", "BubblewrapSandbox", () => {
  conformance({
    name: "bubblewrap sandbox",
    create: ({ ns }) => new BubblewrapSandbox({ workspace: directory(ns), root: "/workspace" }),
    reopen: ({ ns }) => new BubblewrapSandbox({ workspace: directory(ns), root: "/workspace" }),
    secrets: [base],
    profile: { ...sandboxProfile, execute: { sharesFiles: true } },
  });
});
