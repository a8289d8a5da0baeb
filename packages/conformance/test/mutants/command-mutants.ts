import { execFile } from "node:child_process";
import { MemoryBackend, type ExecuteOptions, type ExecuteResponse } from "@fs/protocol";
import { type Mutant, overlay } from "./mutant.js";

type Execute = (command: string, options: ExecuteOptions) => Promise<ExecuteResponse>;

/** Runs a command in a shell of this machine. */
const run: Execute = (text, { timeout = 120 }) =>
  new Promise((resolve) => {
    const limit = { timeout: timeout * 1000 > 2 ** 31 - 1 ? 0 : timeout * 1000 };
    const child = execFile("/bin/sh", ["-c", text], limit, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      resolve({ output: stdout + stderr, exitCode, truncated: false });
    });
    child.stdin?.end();
  });

function command(
  name: string,
  [rule, by]: readonly [rule: string, by: string],
  bug: string,
  execute: Execute,
): Mutant {
  return {
    name: `exec/${name}`,
    rule,
    by: `exec/${by}`,
    bug,
    profile: { execute: true },
    create: () =>
      overlay(new MemoryBackend(), {
        id: name,
        execute: (text: string, options: ExecuteOptions = {}) => execute(text, options),
      }),
  };
}

async function printed(
  answer: Promise<ExecuteResponse>,
  change: (output: string) => string,
): Promise<ExecuteResponse> {
  const done = await answer;
  return { ...done, output: change(done.output) };
}

/** Bugs of what runs commands. */
export const COMMAND_MUTANTS: readonly Mutant[] = [
  command(
    "terminal-line-ends",
    ["X1", "exact-output"],
    "The line ends of a terminal are made plain, and those of the command too.",
    (text, options) => printed(run(text, options), (output) => output.replaceAll("\r\n", "\n")),
  ),
  command(
    "byte-order-mark",
    ["X1", "exact-output"],
    "The decoder takes the byte order mark away.",
    (text, options) => printed(run(text, options), (output) => output.replace(/^\ufeff/u, "")),
  ),
  command(
    "in-parentheses",
    ["X1", "as-written"],
    "A parenthesis behind the command is part of its remark.",
    (text, options) => run(`( ${text} ) 2>&1`, options),
  ),
  command(
    "long-timer",
    ["X3", "timeouts"],
    "A timeout that is too long for a timer is over at once.",
    (text, options) =>
      run(text, {
        ...options,
        timeout: (options.timeout ?? 0) > 2_147_483 ? 0.001 : (options.timeout ?? 120),
      }),
  ),
  command(
    "whole-seconds",
    ["X3", "timeouts"],
    "A timeout is rounded to whole seconds, and 0 of them are none.",
    (text, options) => run(text, { ...options, timeout: Math.round(options.timeout ?? 120) }),
  ),
  command(
    "keeps-its-listener",
    ["A8", "leaves-no-listener"],
    "The listener of a command goes only when the signal fires.",
    (text, options) => {
      options.signal?.addEventListener("abort", () => undefined, { once: true });
      return run(text, options);
    },
  ),
];
