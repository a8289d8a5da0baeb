import type { ErrorCode } from "@fs/protocol";
import { comparePaths } from "@fs/protocol/author";
import type { Side } from "../change.js";

/**
 * What became of one change: `applied`; `already`, the file held that content; `conflict`, somebody else changed the file;
 * `refused`, the backend or a wrapper said no; `failed`, the outcome is not known or the storage was not available;
 * `skipped`, it was not tried.
 */
export type ApplyStatus = "applied" | "already" | "conflict" | "refused" | "failed" | "skipped";

/** What became of one change. */
export interface PathReport {
  readonly path: string;
  readonly status: ApplyStatus;
  /** The version of the file afterwards, where it is known. */
  readonly version?: string | undefined;
  /** Of what was not done: a sentence. */
  readonly detail?: string | undefined;
  /** Of what was not done: the stable code, where there is one. */
  readonly code?: ErrorCode | undefined;
  /** Of a conflict: what the change was made on, what it leads to, and what is there. */
  readonly conflict?: {
    readonly base: Side | null;
    readonly ours: Side | null;
    readonly theirs: Side | null;
  };
  /** What was stored instead of `after`, when both sides' changes were merged. */
  readonly merged?: Side | undefined;
  /** True when the backend has no versions, so that a change by somebody else at the same moment could not be seen. */
  readonly unguarded?: boolean | undefined;
}

/** What became of a change set. */
export interface ApplyReport {
  /** The ID of the change set. */
  readonly id: string;
  /** True when every change is `applied` or `already`. */
  readonly complete: boolean;
  /** One per change, sorted by path. */
  readonly paths: readonly PathReport[];
}

/** Returns whether the file holds what the change, or its merge, leads to. */
export function isDone({ status }: Pick<PathReport, "status">): boolean {
  return status === "applied" || status === "already";
}

/** Returns whether the outcome of the change is known, so that trying it again is another decision. */
export function isSettled({ status }: Pick<PathReport, "status">): boolean {
  return status !== "failed" && status !== "skipped";
}

/** One report of two runs, under the ID of the second. A path of both is as the second says. */
export function together(first: ApplyReport, second: ApplyReport): ApplyReport {
  const byPath = new Map<string, PathReport>();
  for (const report of [...first.paths, ...second.paths]) byPath.set(report.path, report);
  const paths = [...byPath.values()].toSorted((a, b) => comparePaths(a.path, b.path));
  return { id: second.id, complete: paths.every(isDone), paths };
}
