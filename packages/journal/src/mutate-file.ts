import { type Change, hashOf, type SeenFile, type Side, sideOf } from "@fs/changes";
import { isUncertain, VolumeError } from "@fs/protocol/author";
import type { KeyedQueue } from "@fs/protocol/async";
import type { ErrorCode } from "@fs/protocol";
import type { Ending, Recorder } from "./recorder.js";

/** The answer of a method that changes one file. */
export interface FileAnswer {
  readonly error?: string | undefined;
  readonly code?: ErrorCode | undefined;
  readonly version?: string | undefined;
  readonly size?: number | undefined;
}

/** The condition that a journal adds to a call. */
export interface Guard {
  readonly ifVersion?: string;
  readonly ifAbsent?: boolean;
}

/** A call that changes one file. */
export interface FileMutation<R extends FileAnswer> {
  readonly method: string;
  readonly path: string;
  /** True when the caller gave a condition: then a lost race is the caller's answer. */
  readonly conditional: boolean;
  /** The content afterwards, where it can be foreseen; `null` for a removal. */
  foresee(before: SeenFile | undefined): Uint8Array | null | undefined;
  /** The condition under which the image before is exact; `undefined` where none may be added. */
  guard(before: SeenFile | undefined): Guard | undefined;
  call(guard: Guard): Promise<R>;
  readonly signal?: AbortSignal | undefined;
}

/** Lost rounds after which a call gives up. */
const MAX_ROUNDS = 100;

/**
 * Makes a call on one file and records it: the image before is read with its version, the call is made on that version, and
 * is repeated where it lost a race that its caller did not ask about.
 */
export async function mutateFile<R extends FileAnswer>(
  recorder: Recorder,
  queue: KeyedQueue,
  mutation: FileMutation<R>,
  conflict: () => R,
): Promise<R> {
  const rounds = async (): Promise<R> => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const answer = await once(recorder, mutation);
      if (answer === undefined) continue;
      const stale = answer.code === "no_match" || answer.code === "not_unique";
      return round > 0 && stale ? conflict() : answer;
    }
    return conflict();
  };
  return queue.run(mutation.path, rounds, mutation.signal);
}

async function once<R extends FileAnswer>(
  recorder: Recorder,
  mutation: FileMutation<R>,
): Promise<R | undefined> {
  const { method, path, signal } = mutation;
  const before = await recorder.files.get(path, signal);
  const foreseen = mutation.foresee(before);
  const guard = guardOf(recorder, mutation, before);
  const contents = [before?.bytes, foreseen ?? undefined].filter((bytes) => bytes !== undefined);
  const old = before === undefined ? null : sideOf(before.bytes, before.version);
  const planned: Change = { path, before: old, after: sideAfter(foreseen, old) };
  const exact = guard !== undefined;
  const intent = { method, changes: [planned], exact, contents };
  const call = async (id: string): Promise<R | undefined> => {
    const answer = await mutation.call(guard ?? {});
    if (!answer.error) {
      await recorder.end(id, ending(recorder, planned, foreseen, answer), signal);
      return answer;
    }
    const lost = answer.code === "conflict" || answer.code === "already_exists";
    if (lost && guard !== undefined && !mutation.conditional && Object.keys(guard).length > 0) {
      recorder.lost(id);
      return undefined;
    }
    if (!isUncertain(new VolumeError(answer.code ?? "unavailable")))
      await recorder.end(id, { outcome: "refused", code: answer.code, changes: [] }, signal);
    return answer;
  };
  return recorder.around(intent, call, signal);
}

/** What the journal adds to the call: nothing to a condition of the caller's own, which makes the image exact as well. */
function guardOf<R extends FileAnswer>(
  { files }: Recorder,
  { path, conditional, guard }: FileMutation<R>,
  before: SeenFile | undefined,
): Guard | undefined {
  if (!files.guardedAt(path)) return undefined;
  return conditional ? {} : guard(before);
}

function sideAfter(foreseen: Uint8Array | null | undefined, before: Side | null): Side | null {
  if (foreseen === null) return null;
  // What cannot be foreseen is put down as it was; the end says what it has become.
  return foreseen === undefined ? before : sideOf(foreseen);
}

/** The image after, from the call's own version; read only where the content could not be foreseen. */
async function ending(
  { files }: Recorder,
  planned: Change,
  foreseen: Uint8Array | null | undefined,
  { version, size }: FileAnswer,
): Promise<Ending> {
  if (foreseen === null) return { outcome: "done", changes: [planned] };
  if (foreseen !== undefined && (size === undefined || size === foreseen.length)) {
    const after = sideOf(foreseen, version);
    return { outcome: "done", changes: [{ ...planned, after }] };
  }
  const file = await files.get(planned.path);
  const sure = file !== undefined && version !== undefined && file.version === version;
  const after = file === undefined ? null : sideOf(file.bytes, file.version);
  return {
    outcome: "done",
    changes: [{ ...planned, after }],
    ...(sure ? {} : { exact: false }),
    contents: file === undefined ? [] : [file.bytes],
  };
}

/** Tells whether a file holds a content. */
export function holds(file: SeenFile | undefined, side: Side | null): boolean {
  if (file === undefined || side === null) return file === undefined && side === null;
  return side.hash === undefined ? file.version === side.version : hashOf(file.bytes) === side.hash;
}
