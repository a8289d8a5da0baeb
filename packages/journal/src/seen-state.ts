import { optionsOf } from "@fs/protocol/async";
import { randomUUID } from "node:crypto";
import { codeOf, type FileAccess, type SeenFile, type Side, sideOf } from "@fs/changes";
import { isUncertain, VolumeError } from "@fs/protocol/author";

/** A file that is there or not, and may not be read: a link, or what a permission closes. */
export const CLOSED = "closed";

/** What a look at a file found; `undefined`: there is none. */
export type SeenState = SeenFile | typeof CLOSED | undefined;

/** Looks at files in one call; where the storage did not answer for one of them, that one is the error. */
export async function lookAtEach(
  { backend }: FileAccess,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Array<SeenState | VolumeError>> {
  if (paths.length === 0) return [];
  const answers = (await backend.downloadFiles?.([...paths], optionsOf(signal))) ?? [];
  return paths.map((path, index) => {
    const answer = answers[index];
    if (answer?.error === null) return { bytes: answer.content, version: answer.version };
    const code = answer === undefined ? "unavailable" : (answer.code ?? codeOf(answer.error));
    if (code === "not_found" || code === "not_directory" || code === "is_directory")
      return undefined;
    const error = new VolumeError(code, undefined, { path });
    return isUncertain(error) ? error : CLOSED;
  });
}

/** As {@link lookAtEach}. Throws where the storage did not answer. */
export async function lookAtAll(
  files: FileAccess,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<SeenState[]> {
  return (await lookAtEach(files, paths, signal)).map((seen) => {
    if (seen instanceof VolumeError) throw seen;
    return seen;
  });
}

/** The state as a record names it. One that may not be read has a version that no file ever has. */
export function stateOf(seen: SeenState): Side | null {
  if (seen === undefined) return null;
  if (seen === CLOSED) return { size: 0, version: `unread:${randomUUID()}` };
  return sideOf(seen.bytes, seen.version);
}

/** The contents that were read. */
export function contentsOf(seen: readonly SeenState[]): Uint8Array[] {
  return seen.flatMap((one) => (one === undefined || one === CLOSED ? [] : [one.bytes]));
}

/** The condition of a call. */
export interface Condition {
  readonly ifVersion?: string;
  readonly ifAbsent?: boolean;
}

/** Returns whether a call on this condition can only have changed the state that was seen. */
export function isStateOf({ ifAbsent, ifVersion }: Condition, seen: SeenState): boolean {
  if (ifAbsent === true) return seen === undefined;
  return typeof seen === "object" && seen.version !== undefined && seen.version === ifVersion;
}
