/**
 * - `lost`: what was acknowledged and is not there.
 * - `doubled`: what is there twice: an edit applied twice, two winners of one path, a move that left its source.
 * - `untrue`: answers that were not so: done though refused, not found though there, content that no one wrote.
 * - `uncaught`: errors that reached the process, and processes that ended by themselves.
 * - `late`: calls that were answered after their time, or never.
 */
export type FindingKind = "lost" | "doubled" | "untrue" | "uncaught" | "late";

/** What an oracle found, by kind, as sentences. */
export type Findings = Readonly<Record<FindingKind, string[]>>;

export function noFindings(): Findings {
  return { lost: [], doubled: [], untrue: [], uncaught: [], late: [] };
}
