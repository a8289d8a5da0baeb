import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds between two looks. Looking is what works everywhere: shared folders and containers announce nothing. */
const EVERY_MS = 250;

/** The files of a folder, each with what changes when it is stored anew. */
export type Snapshot = ReadonlyMap<string, string>;

/**
 * The files of a folder and below it, but for `node_modules`, names that begin with a dot, and `except`: absolute paths of
 * files that the watcher writes itself.
 */
export async function snapshotOf(
  folder: string,
  except: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await collect(folder, except, found);
  return found;
}

async function collect(
  folder: string,
  except: ReadonlySet<string>,
  found: Map<string, string>,
): Promise<void> {
  const entries = await unlessGone(readdir(folder, { withFileTypes: true }));
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".") || entry.name === "node_modules" || except.has(path)) continue;
    if (entry.isDirectory()) await collect(path, except, found);
    else {
      const info = await unlessGone(stat(path));
      if (info !== undefined) found.set(path, `${info.mtimeMs} ${info.size} ${info.ino}`);
    }
  }
}

/** What vanishes between two looks, or may not be looked at, is not there. */
async function unlessGone<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
    if (["ENOENT", "ENOTDIR", "EACCES", "ELOOP"].includes(String(code))) return undefined;
    throw error;
  }
}

/** The files of `known` that are gone or stored anew in `now`; with `created`, new ones too. */
export function changesOf(known: Snapshot, now: Snapshot, created: boolean): string[] {
  const changed = [...known].filter(([path, state]) => now.get(path) !== state);
  const fresh = created ? [...now.keys()].filter((path) => !known.has(path)) : [];
  return [...changed.map(([path]) => path), ...fresh];
}

/** Waits until a folder differs from what is known of it and then stays as it is for a moment. Gives the paths. */
export async function untilChanged(
  folder: string,
  except: ReadonlySet<string>,
  known: Snapshot,
): Promise<string[]> {
  let before = known;
  for (;;) {
    await delay(EVERY_MS);
    const now = await snapshotOf(folder, except);
    const changed = changesOf(known, now, true);
    // A compiler or an editor may still be writing.
    if (changed.length > 0 && changesOf(before, now, true).length === 0) return changed;
    before = now;
  }
}
