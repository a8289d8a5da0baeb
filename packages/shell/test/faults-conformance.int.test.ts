import type { ExecuteOptions, ExecuteResponse } from "@fs/protocol";
import { onAbort } from "@fs/protocol/async";
import type { Faults } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { gate, mountSmallDisk } from "@fs/test-servers";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { base, directory, sandboxProfile } from "./conformance-harness.js";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

// Where one may be mounted: elsewhere the sandbox is never full nor read-only, and the cases of these faults stay untested.
const disk = mountSmallDisk(4);
afterAll(() => disk?.remove());

function rootOf({ ns }: { ns: string }): string {
  if (disk === undefined) return directory(ns);
  const path = join(disk.path, ns);
  mkdirSync(path, { recursive: true });
  return path;
}

type Mode = "none" | "cut" | "stall" | "lose" | "refuse";
const state: { mode: Mode; healed: Promise<void> } = { mode: "none", healed: Promise.resolve() };

function begin(mode: Mode): () => void {
  const { opened, open } = gate();
  Object.assign(state, { mode, healed: opened });
  return () => {
    state.mode = "none";
    open();
  };
}

/** A sandbox that can be reached no more, or only in one direction. The commands themselves are real. */
class UnreliableSandbox extends LocalProcessSandbox {
  override async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    const { mode } = state;
    const { signal } = options;
    if (mode === "cut" || mode === "refuse")
      throw Object.assign(new Error("10.0.0.1 password=hunter2"), {
        code: mode === "cut" ? "ECONNREFUSED" : "EACCES",
      });
    if (mode === "stall")
      await Promise.race([
        state.healed,
        ...(signal === undefined
          ? []
          : [new Promise((resolve) => onAbort(signal, () => resolve(undefined)))]),
      ]);
    const answer = await super.execute(command, options);
    if (mode === "lose") throw Object.assign(new Error("10.0.0.1"), { code: "ECONNRESET" });
    return answer;
  }
}

const faults: Faults = {
  cut: () => begin("cut"),
  stall: () => begin("stall"),
  loseAnswers: () => begin("lose"),
  refuse: () => begin("refuse"),
  ...(disk === undefined
    ? {}
    : {
        fill: () => {
          disk.fill();
          return () => disk.free();
        },
        readOnly: () => {
          disk.remount("ro");
          return () => disk.remount("rw");
        },
      }),
};
// Every call starts processes, so that this takes minutes: see CONTRIBUTING.md.
conformance(
  {
    name: "sandbox behind a connection that fails",
    create: (of) => new UnreliableSandbox({ rootDir: rootOf(of) }),
    peer: (of) => new LocalProcessSandbox({ rootDir: rootOf(of) }),
    faults: () => faults,
    secrets: [base, ...(disk === undefined ? [] : [disk.path]), "10.0.0.1", "hunter2"],
    profile: { ...sandboxProfile, durable: false },
  },
  process.env["FS_TEST_ALL_FAULTS"] === "1"
    ? { only: "fault/*" }
    : { only: ["fault/read-*", "fault/write-*", "fault/delete-*"] },
);
