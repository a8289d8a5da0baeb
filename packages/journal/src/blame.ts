import { type BlobStore, lineChanges, linesOf, sameContent, type Side } from "@fs/changes";
import { decodeText } from "@fs/protocol/author";
import { isTextBytes } from "@fs/protocol/hooks";
import { isSeenOnly } from "./known-hashes.js";
import type { JournalRecord } from "./record.js";
import type { FileChain } from "./undo.js";

/** One line of a file, and who wrote it. */
export interface BlamedLine {
  /** 1-based. */
  readonly line: number;
  /** Without its terminator. */
  readonly text: string;
  /** The recorded change that wrote the line. */
  readonly record?: JournalRecord;
  /** Where no recorded change did: the line is older than the journal, or somebody changed the file past it. */
  readonly unrecorded?: "before the journal" | "outside the journal";
}

type Origin = Pick<BlamedLine, "record" | "unrecorded">;

/**
 * Who wrote each line of a text, by the recorded contents alone. `undefined` for a file that is no text, or whose contents
 * were not kept.
 */
export async function blameLines(
  blobs: BlobStore,
  { changes }: FileChain,
  now: Uint8Array,
): Promise<BlamedLine[] | undefined> {
  let text: string[] = [];
  let origins: Origin[] = [];
  let state: Side | null | undefined;
  const advance = (next: string[], origin: Origin): void => {
    origins = carried(text, origins, next, origin);
    text = next;
  };
  for (const { record, change } of changes) {
    const isUnseen = isSeenOnly(change);
    if (!isUnseen && (state === undefined || !sameContent(state, change.before))) {
      const before = await textOf(blobs, change.before);
      if (before === undefined) return undefined;
      advance(before, { unrecorded: missedBy(state) });
    }
    const after = await textOf(blobs, change.after);
    if (after === undefined) return undefined;
    // What was there before is not known: the line may be older than the change.
    advance(after, isUnseen ? { unrecorded: missedBy(state) } : { record });
    state = change.after;
  }
  if (!isTextBytes(now)) return undefined;
  advance(linesOf(decodeText(now)), { unrecorded: missedBy(state) });
  return text.map((line, index) => ({
    line: index + 1,
    text: line.replace(/\r?\n$/, ""),
    ...origins[index],
  }));
}

function missedBy(state: Side | null | undefined): BlamedLine["unrecorded"] & string {
  return state === undefined ? "before the journal" : "outside the journal";
}

async function textOf(blobs: BlobStore, side: Side | null): Promise<string[] | undefined> {
  if (side === null) return [];
  const bytes = side.hash === undefined ? undefined : await blobs.get(side.hash);
  return bytes === undefined || !isTextBytes(bytes) ? undefined : linesOf(decodeText(bytes));
}

/** The origins of the new lines: those that stay keep theirs. */
function carried(
  from: readonly string[],
  origins: readonly Origin[],
  to: readonly string[],
  origin: Origin,
): Origin[] {
  const changes = lineChanges(from, to);
  if (changes === undefined) return to.map(() => origin);
  const parts: Array<readonly Origin[]> = [];
  let at = 0;
  for (const change of changes) {
    parts.push(
      origins.slice(at, change.at),
      change.lines.map(() => origin),
    );
    at = change.at + change.removed;
  }
  return [...parts, origins.slice(at)].flat();
}
