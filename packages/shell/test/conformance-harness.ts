import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own for each namespace of a run. */
export const base = mkdtempSync(join(tmpdir(), "fs-shell-conformance-"));

export function directory(ns: string): string {
  const path = join(base, ns);
  mkdirSync(path, { recursive: true });
  return path;
}

/** What every sandbox claims: times are to the second, and those of the last change. */
export const sandboxProfile = {
  directories: "real",
  times: "observed",
  execute: true,
  durable: true,
  // Together with the root a longer path passes PATH_MAX.
  limits: { pathBytes: 3500 },
} as const;

/** Milliseconds for a case: each call starts processes, which on a busy machine take a second. */
export const SANDBOX_TIMEOUT_MS = 120_000;
