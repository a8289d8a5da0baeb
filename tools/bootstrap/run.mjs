import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { pnpmVersion, root } from "./repository.mjs";

/**
 * Runs a program in the terminal of the caller; ends this process with its exit code when it fails.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
export function runOrExit(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    // npm's own programs are scripts on Windows, which only a shell starts.
    shell: process.platform === "win32" && !command.endsWith(".exe"),
    ...options,
  });
  if (error) throw error;
  if (signal) process.kill(process.pid, signal);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs an installed package's program with this Node, without going through a package manager. */
export function runInstalled(script, args, options = {}) {
  runOrExit(process.execPath, [`${root}/node_modules/${script}`, ...args], options);
}

/** The command line and the environment for the pinned pnpm, whatever the machine has. */
export function pnpmCommand(args) {
  const env = { ...process.env };
  // Native addons compile against the headers that the system has; pnpm does not look for them.
  if (existsSync("/usr/include/node")) env["npm_config_nodedir"] ??= "/usr";
  return {
    command: "npx",
    args: ["--yes", "--loglevel=error", `pnpm@${pnpmVersion()}`, ...args],
    env,
  };
}

export function runPnpm(args) {
  const pnpm = pnpmCommand(args);
  runOrExit(pnpm.command, pnpm.args, { env: pnpm.env });
}
