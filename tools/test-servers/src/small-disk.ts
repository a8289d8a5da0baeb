import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isCode } from "./error-code.js";

/** A disk of a few megabytes that can be full and read-only. */
export interface SmallDisk {
  readonly path: string;
  remount(mode: "ro" | "rw"): void;
  /** Takes all the room that is left, to the byte. */
  fill(): void;
  /** Gives back what {@link fill} took. */
  free(): void;
  /** Unmounts and removes it. */
  remove(): void;
}

const FILLER = "filler-";
const MIB = 1024 * 1024;

/** Mounts a disk of so many megabytes in memory; `undefined` where this process may not mount: it needs Linux, and to be root. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const path = mkdtempSync(join(tmpdir(), "fs-small-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path]);
  if (status !== 0) {
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    remount: (mode) => void execFileSync("mount", ["-o", `remount,${mode}`, path]),
    fill: () => fill(path),
    free: () => {
      for (const name of readdirSync(path))
        if (name.startsWith(FILLER)) rmSync(join(path, name), { force: true });
    },
    remove: () => {
      execFileSync("umount", [path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** In blocks that become smaller, so that no room is left for a single byte. */
function fill(path: string): void {
  for (let block = MIB; block >= 1; block = Math.floor(block / 4))
    for (let n = 0; ; n++) {
      try {
        writeFileSync(join(path, `${FILLER}${block}-${n}`), Buffer.alloc(block));
      } catch (error) {
        if (isCode(error, "ENOSPC")) break;
        throw error;
      }
    }
}
