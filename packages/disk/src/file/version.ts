import type { BigIntStats } from "node:fs";

/** The version of a file: changes with every replacement, and with every change by other programs that moves a clock. */
export function versionOf(stats: BigIntStats): string {
  return `${stats.mtimeNs.toString(36)}-${stats.ctimeNs.toString(36)}-${stats.ino.toString(36)}-${stats.size.toString(36)}`;
}

/**
 * Now, in seconds, with chance below the millisecond. Kernels stamp files by a tick of several milliseconds and reuse
 * inode numbers at once, so that two replacements in one tick could pass for the same version.
 */
export function stampNow(): number {
  return (Date.now() + Math.random()) / 1000;
}

/** ISO 8601 of a file's modification. */
export function modifiedAtOf(stats: { readonly mtimeMs: number | bigint }): string {
  return new Date(Number(stats.mtimeMs)).toISOString();
}
