import { type Change, hashOf, type SeenFile, type Side, sideOf } from "@fs/changes";
import { isUncertain, VolumeError } from "@fs/protocol/author";
import type { KeyedQueue } from "@fs/protocol/async";
import type { ErrorCode } from "@fs/protocol";
import type { Ending, Recorder } from "./recorder.js";
import {
  CLOSED,
  type Condition,
  contentsOf,
  isStateOf,
  lookAtAll,
  type SeenState,
  stateOf,
} from "./seen-state.js";

/** The answer of a method that changes one file. */
export interface FileAnswer {
  readonly error?: string | undefined;
  readonly code?: ErrorCode | undefined;
  readonly version?: string | undefined;
  readonly size?: number | undefined;
}

/** A call that changes one file. */
export interface FileMutation<R extends FileAnswer> {
  readonly method: string;
  readonly path: string;
  /** The caller's own condition: then a lost race is the caller's answer. */
  readonly condition: Condition | undefined;
  /** The content afterwards, where it can be foreseen; `null` for a removal. */
  foresee(before: SeenFile | undefined): Uint8Array | null | undefined;
  /** The condition under which the image before is exact; `undefined` where none may be added. */
  guard(before: SeenFile | undefined): Condition | undefined;
  call(guard: Condition): Promise<R>;
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
  const { files } = recorder;
  const [before] = await lookAtAll(files, [path], signal);
  const foreseen = mutation.foresee(before === CLOSED ? undefined : before);
  const { guard, exact } = guardOf(files.guardedAt(path), mutation, before);
  const contents = [
    ...contentsOf([before]),
    ...(foreseen === undefined || foreseen === null ? [] : [foreseen]),
  ];
  const old = stateOf(before);
  const planned: Change = { path, before: old, after: sideAfter(foreseen, old) };
  const intent = { method, changes: [planned], exact, contents };
  const call = async (id: string): Promise<R | undefined> => {
    const answer = await mutation.call(guard);
    if (!answer.error) {
      await recorder.end(id, ending(recorder, planned, foreseen, answer), signal);
      return answer;
    }
    const lost = answer.code === "conflict" || answer.code === "already_exists";
    if (lost && Object.keys(guard).length > 0) {
      recorder.lost(id);
      return undefined;
    }
    if (!isUncertain(new VolumeError(answer.code ?? "unavailable")))
      await recorder.end(id, { outcome: "refused", code: answer.code, changes: [] }, signal);
    return answer;
  };
  return recorder.around(intent, call, signal);
}

/**
 * What the journal adds to the call: nothing to a condition of the caller's own. The image is exact where the condition holds
 * of nothing but what was seen.
 */
function guardOf<R extends FileAnswer>(
  guarded: boolean,
  { condition, guard }: FileMutation<R>,
  before: SeenState,
): { readonly guard: Condition; readonly exact: boolean } {
  if (!guarded || before === CLOSED) return { guard: {}, exact: false };
  if (condition !== undefined) return { guard: {}, exact: isStateOf(condition, before) };
  const added = guard(before);
  return { guard: added ?? {}, exact: added !== undefined };
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
  const [file] = await lookAtAll(files, [planned.path]);
  const sure = typeof file === "object" && version !== undefined && file.version === version;
  const isNamed = file === CLOSED && version !== undefined;
  const after = isNamed ? { size: size ?? 0, version } : stateOf(file);
  return {
    outcome: "done",
    changes: [{ ...planned, after }],
    ...(sure ? {} : { exact: false }),
    contents: contentsOf([file]),
  };
}

/** Returns whether a file holds a content. */
export function holds(file: SeenFile | undefined, side: Side | null): boolean {
  if (file === undefined || side === null) return file === undefined && side === null;
  return side.hash === undefined ? file.version === side.version : hashOf(file.bytes) === side.hash;
}
