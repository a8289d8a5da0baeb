import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { errnoOf } from "../tree/refusals.js";

/** Who holds a lock, as written into it. */
export interface Owner {
  /** Differs for every process, and every thread of one. */
  readonly id: string;
  readonly pid: number;
  /** When the process started, in the kernel's ticks: tells it from a later one with the same number. `""` if unknown. */
  readonly started: string;
  /** The boot and the process namespace in which `pid` means something. */
  readonly scope: string;
}

/** This process, or this thread of it. */
export function describeSelf(): Owner {
  const { pid } = process;
  return {
    id: `${pid}-${randomBytes(8).toString("hex")}`,
    pid,
    started: startOf(pid) ?? "",
    scope: scopeOfSelf(),
  };
}

/** The owner as text, one field per line. */
export function writeOwner({ id, pid, started, scope }: Owner): string {
  return [id, pid, started, scope].join("\n");
}

/** Reads what {@link writeOwner} wrote; `undefined` for anything else. */
export function parseOwner(text: string): Owner | undefined {
  const [id, pid, started, scope] = text.split("\n");
  if (id === undefined || started === undefined || scope === undefined) return undefined;
  if (!/^\d+-[0-9a-f]+$/.test(id) || !/^\d+$/.test(pid ?? "")) return undefined;
  return { id, pid: Number(pid), started, scope };
}

/** True only when the owner is certainly gone. One of another namespace cannot be judged, and counts as alive. */
export function isGone(owner: Owner, self: Owner): boolean {
  const [boot] = owner.scope.split(" ", 1);
  const [ownBoot] = self.scope.split(" ", 1);
  if (boot !== ownBoot) return true;
  if (owner.scope !== self.scope) return false;
  if (!exists(owner.pid)) return true;
  const started = startOf(owner.pid);
  return started !== undefined && owner.started !== "" && started !== owner.started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}

/** The start time of a process from `/proc/PID/stat`, field 22; `undefined` where there is no such file. */
function startOf(pid: number): string | undefined {
  const stat = readOptional(`/proc/${pid}/stat`);
  // The name in field 2 may hold spaces and brackets, so fields count from its last bracket.
  return stat
    ?.slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .at(19);
}

function scopeOfSelf(): string {
  const boot = readOptional("/proc/sys/kernel/random/boot_id")?.trim() ?? "boot";
  return `${boot} ${linkOrEmpty("/proc/self/ns/pid")}`;
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

function linkOrEmpty(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return "";
  }
}
