import { readFileSync, readlinkSync } from "node:fs";
import { errnoOf } from "../tree/refusals.js";

/** Who holds a lock, as written into it. */
export interface Owner {
  /** Differs for every process, and every thread of one. */
  readonly id: string;
  readonly pid: number;
  /** The kernel's number of the thread; `""` where it cannot be known. */
  readonly thread: string;
  /** When the thread started, in the kernel's ticks: distinguishes it from a later one with the same number. `""` if unknown. */
  readonly started: string;
  /** The boot and the process namespace in which the numbers mean something. */
  readonly scope: string;
}

/**
 * `"gone"` and `"alive"` are certain. `"unknown"` is an owner of another boot or process namespace, or one whose process
 * lives on a platform that shows no threads: only its lease decides.
 */
export type Fate = "gone" | "alive" | "unknown";

/** This thread. */
export function describeSelf(): Owner {
  const { pid } = process;
  // Not imported: a program that only reads starts without it.
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  const thread = threadOfSelf();
  return {
    id: `${pid}-${randomBytes(8).toString("hex")}`,
    pid,
    thread,
    started: thread === "" ? "" : (startOf(pid, thread) ?? ""),
    scope: scopeOfSelf(),
  };
}

/** The owner as text, one field per line. */
export function writeOwner({ id, pid, thread, started, scope }: Owner): string {
  return [id, pid, thread, started, scope].join("\n");
}

/** Reads what {@link writeOwner} wrote; `undefined` for anything else. */
export function parseOwner(text: string): Owner | undefined {
  const [id, pid, thread, started, scope] = text.split("\n");
  if (id === undefined || thread === undefined || started === undefined) return undefined;
  if (scope === undefined || !/^\d+-[0-9a-f]+$/.test(id) || !/^[1-9]\d*$/.test(pid ?? ""))
    return undefined;
  return { id, pid: Number(pid), thread, started, scope };
}

/** What has become of an owner, as far as this thread can know. */
export function fateOf(owner: Owner, self: Owner): Fate {
  if (owner.id === self.id) return "alive";
  if (owner.scope !== self.scope) return "unknown";
  if (!exists(owner.pid)) return "gone";
  if (owner.thread === "" || owner.started === "") return "unknown";
  return startOf(owner.pid, owner.thread) === owner.started ? "alive" : "gone";
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}

/** `/proc/thread-self` is a link to `PID/task/THREAD`. */
function threadOfSelf(): string {
  const link = optional(() => readlinkSync("/proc/thread-self"));
  return /\/task\/(\d+)$/.exec(link ?? "")?.[1] ?? "";
}

/** The start time of a thread from its `stat`, field 22; `undefined` where there is none such. */
function startOf(pid: number, thread: string): string | undefined {
  const stat = optional(() => readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8"));
  // The name in field 2 may hold spaces and brackets, so fields count from its last bracket.
  return stat
    ?.slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .at(19);
}

function scopeOfSelf(): string {
  const boot = optional(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
  const namespace = optional(() => readlinkSync("/proc/self/ns/pid"));
  return `${boot?.trim() ?? "boot"} ${namespace ?? ""}`;
}

/**
 * What a file of `/proc` says; `undefined` where there is none, as on other platforms and of threads that have ended. Throws
 * everything else: to take a failed look for an absence would declare living owners dead.
 */
function optional(look: () => string): string | undefined {
  try {
    return look();
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES") return undefined;
    throw error;
  }
}
