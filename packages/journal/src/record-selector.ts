import { VolumeError } from "@fs/protocol/author";
import type { JournalRecord } from "./record.js";

/** Which records are meant: those that fit all that is given. At least one has to be. */
export interface RecordSelector {
  readonly record?: string;
  readonly toolCallId?: string;
  readonly turnId?: string;
  readonly threadId?: string;
  readonly actor?: string;
  /** ISO 8601: what began then or later. */
  readonly since?: string;
  /** Patterns of paths. */
  readonly only?: string | readonly string[];
}

/** Returns the records that a selector means. Throws `invalid_argument` for one that is wrong or names nothing. */
export function selectorFilter(selector: RecordSelector): (record: JournalRecord) => boolean {
  const { record, since, only: _, ...caller } = selector;
  const named = Object.entries(caller).filter(([, value]) => value !== undefined);
  const known = ["toolCallId", "turnId", "threadId", "actor"];
  if (
    named.some(
      ([name, value]) => !known.includes(name) || typeof value !== "string" || value === "",
    )
  )
    throw new VolumeError(
      "invalid_argument",
      `A selector has record, since, only, ${known.join(", ")}.`,
    );
  const from = since === undefined ? -Infinity : Date.parse(since);
  if (Number.isNaN(from))
    throw new VolumeError("invalid_argument", "'since' must be an ISO 8601 time.");
  if (record === undefined && since === undefined && named.length === 0)
    throw new VolumeError("invalid_argument", "A selector must name something.");
  return (one) =>
    (record === undefined ? one.undoes === undefined || since !== undefined : one.id === record) &&
    Date.parse(one.time) >= from &&
    named.every(([name, value]) => Reflect.get(one.caller, name) === value);
}
