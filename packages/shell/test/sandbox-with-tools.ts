import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

function folder(prefix: string): string {
  const made = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/**
 * A sandbox over an empty directory in which some tools are scripts of the test's, and that directory. In the scripts it is
 * `$ROOT`, `$DIR` is its `d`, and `$LEFT` a file of theirs.
 */
export function sandboxWith(
  scripts: Readonly<Record<string, readonly string[]>>,
): [LocalProcessSandbox, string] {
  const rootDir = folder("fs-sandbox-");
  const tools = folder("fs-tools-");
  const head = ["#!/bin/sh", `ROOT=${rootDir}`, "DIR=$ROOT/d", `LEFT=${tools}/left`];
  for (const [tool, lines] of Object.entries(scripts)) {
    writeFileSync(join(tools, tool), [...head, ...lines, ""].join("\n"));
    chmodSync(join(tools, tool), 0o755);
  }
  writeFileSync(join(tools, "left"), "");
  return [new LocalProcessSandbox({ tools, rootDir }), rootDir];
}

/** What others do under a tool, before it works and after, and how often. */
export interface Others {
  readonly times: number;
  readonly before?: string;
  readonly after?: string;
}

/** A script for a tool that others are at work under. */
export const underTool = (
  tool: string,
  { times, before = ":", after = ":" }: Others,
): readonly string[] => [
  `[ "$(/bin/wc -l <"$LEFT")" -lt ${times} ] || exec /bin/${tool} "$@"`,
  `echo >>"$LEFT"; ${before}`,
  `/bin/${tool} "$@"; said=$?; ${after}; exit $said`,
];
