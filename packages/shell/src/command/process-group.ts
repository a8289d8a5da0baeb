import type { ChildProcess } from "node:child_process";

/** Kills a child that leads a process group, and the group with it. Children that are gone already are no error. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    const gone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!gone) child.kill(signal);
  }
}
