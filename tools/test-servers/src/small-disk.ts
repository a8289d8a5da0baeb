import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of a few megabytes that can be full and read-only. */
export interface SmallDisk {
  readonly path: string;
  remount(mode: "ro" | "rw"): void;
  /** Unmounts and removes it. */
  remove(): void;
}

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
    remove: () => {
      execFileSync("umount", [path]);
      rmSync(path, { recursive: true });
    },
  };
}
