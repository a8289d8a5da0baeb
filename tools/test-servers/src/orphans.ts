import { rmSync } from "node:fs";
import { isCode } from "./error-code.js";

/**
 * What must not outlive this process. Linux servers also get a parent-death signal (see daemon.ts),
 * which covers a SIGKILL of this process; these handlers cover every other end, on any system, and
 * remove the folders as well.
 */
const pids = new Set<number>();
const directories = new Set<string>();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let installed = false;

export function adoptProcess(pid: number): void {
  install();
  pids.add(pid);
}

export function forgetProcess(pid: number): void {
  pids.delete(pid);
}

export function adoptDirectory(directory: string): string {
  install();
  directories.add(directory);
  return directory;
}

export function forgetDirectory(directory: string): void {
  directories.delete(directory);
}

function install(): void {
  if (installed) return;
  installed = true;
  process.on("exit", sweep);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function onSignal(signal: NodeJS.Signals): void {
  sweep();
  // Having a listener turned the signal's own effect off: without another listener, take it up again.
  process.off(signal, onSignal);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function sweep(): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (!isCode(error, "ESRCH")) process.stderr.write(`cannot end process ${pid}\n`);
    }
  }
  pids.clear();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  directories.clear();
}
