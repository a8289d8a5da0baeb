import type { BigIntStats } from "node:fs";

/** Replaced files whose first creation this process remembers. */
const CAPACITY = 10_000;

// An atomic replacement is a new file to the disk, with a new birth. Shared by all backends of the process.
const remembered = new Map<string, string>();

/** When a file was created, ISO 8601: its birth, or that of the file it replaced as far as this process knows. */
export function createdAtOf(stats: BigIntStats): string {
  return remembered.get(identityOf(stats)) ?? new Date(Number(stats.birthtimeMs)).toISOString();
}

/** Notes that a file took the place of another that was created then. */
export function inheritCreation(stats: BigIntStats, createdAt: string): void {
  const key = identityOf(stats);
  remembered.delete(key);
  remembered.set(key, createdAt);
  if (remembered.size <= CAPACITY) return;
  for (const oldest of remembered.keys()) {
    remembered.delete(oldest);
    break;
  }
}

function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}
