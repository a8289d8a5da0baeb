import { checkedConfiguration } from "@fs/protocol/author";
import { existsSync, lstatSync, readlinkSync } from "node:fs";

/** Where the workspace is inside the sandbox. */
export const WORKSPACE = "/workspace";

/** What a sandbox may see and do. */
export interface Isolation {
  /** Host directory that is {@link WORKSPACE}, writable. */
  readonly workspace: string;
  /** Host directory that is `/tmp`. */
  readonly temporary: string;
  /** Host paths shown read-only at the same place, beside the system's programs. */
  readonly readOnly: readonly string[];
  readonly network: boolean;
  /** The whole environment of a command. */
  readonly env: Readonly<Record<string, string>>;
}

/** Programs and libraries; nothing else of the host is visible. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** What programs read to find their libraries and alternatives. */
const SYSTEM_FILES = [
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
];
/** What programs read to find hosts and trust certificates. */
const NETWORK_FILES = [
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/nsswitch.conf",
  "/etc/ssl",
  "/etc/ca-certificates",
];

/** The user and group that commands see themselves as; never root, also where this process is. */
const NOBODY = "65534";

/** What `bwrap --args` reads: its options, up to the program it runs. Throws a TypeError for one that holds a NUL. */
export function bubblewrapSettings(isolation: Isolation): Uint8Array {
  const settings = bubblewrapOptions(isolation);
  if (settings.some((setting) => setting.includes("\0")))
    throw new TypeError("Neither a variable nor a path of a sandbox may hold a NUL character.");
  return new TextEncoder().encode(settings.map((setting) => `${setting}\0`).join(""));
}

function bubblewrapOptions(isolation: Isolation): string[] {
  const { workspace, temporary, network, env, readOnly } = isolation;
  const files = network ? [...SYSTEM_FILES, ...NETWORK_FILES] : SYSTEM_FILES;
  return [
    "--unshare-all",
    ...(network ? ["--share-net"] : []),
    // Dies with this process, has no terminal to type into, and no capability to gain.
    "--die-with-parent",
    "--new-session",
    ...flag("--cap-drop", "ALL"),
    ...(process.getuid?.() === 0 ? ["--uid", NOBODY, "--gid", NOBODY] : []),
    ...flag("--hostname", "sandbox"),
    "--clearenv",
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
    ...SYSTEM.flatMap(systemMount),
    ...files.flatMap((path) => ["--ro-bind-try", path, path]),
    ...readOnly.flatMap((path) => ["--ro-bind", path, path]),
    ...flag("--proc", "/proc"),
    // To the kernel the sandbox of a root process is still root's, whatever it calls itself, and settings of the whole
    // machine can be written in /proc.
    ...flag("--remount-ro", "/proc"),
    ...flag("--dev", "/dev"),
    ...flag("--bind", temporary, "/tmp"),
    ...flag("--bind", workspace, WORKSPACE),
    ...flag("--chdir", WORKSPACE),
  ];
}

function flag(name: string, ...values: string[]): string[] {
  return [name, ...values];
}

/** A directory of programs as it is on the host: where `/bin` is a link to `/usr/bin`, a link. */
function systemMount(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink()
    ? ["--symlink", readlinkSync(path), path]
    : ["--ro-bind", path, path];
}

/** What one command may use up. Absent: no limit but the host's. */
export interface ResourceLimits {
  /** Bytes of address space of each process. */
  memoryBytes?: number;
  /** Seconds of processor time of each process. */
  cpuSeconds?: number;
  /** Bytes of each file that is written. */
  fileBytes?: number;
  /** Processes at the same time. Counts for the user; root is exempt, as the kernel has it. */
  processes?: number;
  /** Files open at the same time, in each process. */
  openFiles?: number;
}

/** The start of a shell command that sets the limits for itself and all it starts. Throws a TypeError for a bad number. */
export function limitPrelude(limits: ResourceLimits): string {
  const { memoryBytes, cpuSeconds, fileBytes, processes, openFiles } = limits;
  checkedConfiguration("limits", limits, {
    memoryBytes: "positive",
    cpuSeconds: "positive",
    fileBytes: "positive",
    processes: "positive",
    openFiles: "positive",
  });
  const flags: Array<readonly [string, number | undefined]> = [
    ["v", inUnits(memoryBytes, 1024)],
    ["t", cpuSeconds],
    // Blocks of 512 bytes, by POSIX.
    ["f", inUnits(fileBytes, 512)],
    ["u", processes],
    ["n", openFiles],
  ];
  return flags
    .filter(([, value]) => value !== undefined)
    .map(([letter, value]) => {
      return `ulimit -${letter} ${value} 2>/dev/null || exit 126`;
    })
    .join("\n");
}

/** A number of bytes in the units of `ulimit`, never less than what was asked for. */
function inUnits(bytes: number | undefined, unit: number): number | undefined {
  return bytes === undefined ? undefined : Math.ceil(bytes / unit);
}
