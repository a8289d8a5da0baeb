import { existsSync } from "node:fs";
import { readFile, readdir, readlink } from "node:fs/promises";
import { isCode } from "./error-code.js";

const LISTENING = "0A";

/**
 * Whether a process itself listens on a port; undefined where the system does not show it (no /proc, or a process of an
 * account whose files this one may not list). That something answers there proves nothing: test files start servers side by side.
 */
export async function listens(pid: number, port: number): Promise<boolean | undefined> {
  if (!existsSync("/proc/net/tcp")) return undefined;
  const sockets = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    if (!existsSync(table)) continue;
    for (const line of (await readFile(table, "utf8")).split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === LISTENING && Number.parseInt(local.split(":")[1] ?? "", 16) === port)
        sockets.add(`socket:[${inode}]`);
    }
  }
  try {
    const folder = `/proc/${pid}/fd`;
    for (const descriptor of await readdir(folder)) {
      const target = await readlink(`${folder}/${descriptor}`).catch(onlyGone);
      if (target !== undefined && sockets.has(target)) return true;
    }
    return false;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    if (isCode(error, "EACCES") || isCode(error, "EPERM")) return undefined;
    throw error;
  }
}

/** A descriptor that was closed between the listing and the look. */
function onlyGone(error: unknown): undefined {
  if (!isCode(error, "ENOENT")) throw error;
}
