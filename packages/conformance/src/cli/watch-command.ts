import { dirname, relative, resolve } from "node:path";
import type { RunArguments } from "./arguments.js";
import { changesOf, snapshotOf, untilChanged } from "./folder-changes.js";
import { runCommand } from "./run-command.js";
import { UsageError } from "./usage-error.js";

/** Paths named in the line that says why a run begins. */
const MAX_NAMED = 3;

/**
 * Runs the suite, and again whenever a file of the harness's folder has changed, with the same seed. Ends with a signal.
 * While a run is under way only files that were there before count: those that it makes are the backend's own.
 */
export async function watchCommand(args: RunArguments): Promise<never> {
  const folder = dirname(resolve(args.harness));
  const written = [args.json, args.junit, args.md].filter((file) => file !== undefined);
  const except = new Set(written.map((file) => resolve(file)));
  for (let isFirst = true; ; isFirst = false) {
    const before = await snapshotOf(folder, except);
    try {
      await runCommand(args);
    } catch (error) {
      // A harness that is gone for a while comes back; a command line that is wrong does not change.
      if (isFirst || !(error instanceof UsageError)) throw error;
      console.error(error.message);
    }
    const after = await snapshotOf(folder, except);
    let changed = changesOf(before, after, false);
    if (changed.length === 0) {
      console.error(`\nWatching ${folder}. Ctrl+C ends it.`);
      changed = await untilChanged(folder, except, after);
    }
    console.error(`\nAgain: ${named(folder, changed)} changed.`);
  }
}

function named(folder: string, paths: readonly string[]): string {
  const names = paths.slice(0, MAX_NAMED).map((path) => relative(folder, path));
  const more = paths.length - names.length;
  return more === 0 ? names.join(", ") : `${names.join(", ")} and ${more} more`;
}
