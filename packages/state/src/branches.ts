import { VolumeError } from "@fs/protocol/author";
import { isHandedOver } from "./handed-over.js";
import { pathsOf, type Change } from "./operations.js";
import type { FilesRecord } from "./file-data.js";
import type { RunningTask } from "./running-graph.js";

/** Supersteps whose claims are kept. Those of a superstep are needed until its graph goes on to the next. */
const KEPT_SUPERSTEPS = 4096;

/** Who changed a path in a superstep: a task, or a graph within that task, which works on a copy of the files. */
interface Claim {
  readonly branch: string;
  readonly within: boolean;
}

const claims = new Map<string, Map<string, Claim[]>>();

/**
 * Takes a change for the branch of the run that makes it. Tasks of one superstep work on the same files; a graph that one of them
 * was handed a copy of the files for does not, and when it ends its copy is merged file by file. So a path that it changed is
 * refused to the others of that superstep, and the other way round. Throws `conflict`.
 */
export function claim(task: RunningTask, base: FilesRecord, change: Change): void {
  refuseClaimed(task, base, [change]);
  for (const { name, own } of levelsOf(task, isHandedOver(base)))
    for (const path of pathsOf(change)) take(name, path, own);
}

/** Throws `conflict` where one of the changes could not be claimed, and claims none. */
export function refuseClaimed(
  task: RunningTask,
  base: FilesRecord,
  changes: readonly Change[],
): void {
  const wanted = changes.flatMap(pathsOf);
  for (const { name, own } of levelsOf(task, isHandedOver(base))) {
    const taken = claims.get(name);
    if (taken !== undefined && wanted.some((path) => isTaken(taken, path, own)))
      throw new VolumeError(
        "conflict",
        "A graph that runs beside this one has changed the file in its own copy of the files. Try again when both have ended, or let them share the files with `sharedFiles()`.",
      );
  }
}

/** The supersteps that a change of this task ends up in: its own, and those of the graphs that this one is a copy for. */
function levelsOf(task: RunningTask, handedOver: boolean): Array<{ name: string; own: Claim }> {
  const { namespace: graph, id } = task.checkpoint;
  const segments = task.namespace.split("|");
  const branchBelow = (namespace: string): string =>
    segments[namespace === "" ? 0 : namespace.split("|").length] ?? "";
  const levels = [{ name: `${graph} ${id}`, own: { branch: branchBelow(graph), within: false } }];
  if (!handedOver) return levels;
  for (const [namespace, checkpoint] of task.parents)
    levels.push({
      name: `${namespace} ${checkpoint}`,
      own: { branch: branchBelow(namespace), within: true },
    });
  return levels;
}

function isTaken(taken: ReadonlyMap<string, Claim[]>, path: string, own: Claim): boolean {
  for (const [other, holders] of taken) {
    const overlaps = other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`);
    if (overlaps && holders.some((holder) => excludes(holder, own))) return true;
  }
  return false;
}

function excludes(holder: Claim, own: Claim): boolean {
  return holder.branch !== own.branch && (holder.within || own.within);
}

function take(name: string, path: string, own: Claim): void {
  let taken = claims.get(name);
  if (taken === undefined) {
    taken = new Map();
    claims.set(name, taken);
    const [oldest] = claims.keys();
    if (claims.size > KEPT_SUPERSTEPS && oldest !== undefined) claims.delete(oldest);
  }
  const holders = taken.get(path) ?? [];
  const known = holders.some(
    ({ branch, within }) => branch === own.branch && within === own.within,
  );
  if (!known) taken.set(path, [...holders, own]);
}
