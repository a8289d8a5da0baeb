import { type Change, sideOf } from "@fs/changes";
import type { FileUploadResponse, UploadCondition, UploadFile } from "@fs/protocol";
import { outcomeOf } from "@fs/protocol/async";
import {
  canonicalFilePath,
  failureFromThrown,
  isUncertain,
  VolumeError,
} from "@fs/protocol/author";
import type { Ending, Recorder } from "./recorder.js";
import {
  CLOSED,
  contentsOf,
  isStateOf,
  lookAtEach,
  type SeenState,
  stateOf,
} from "./seen-state.js";

type Upload = (files: UploadFile[]) => Promise<FileUploadResponse[]>;

/** Lost rounds after which a file is answered as its last round was. */
const MAX_ROUNDS = 20;

/** Uploads files and records them together. A path that comes twice is a second batch, so that each has its own image. */
export async function mutateUploads(
  recorder: Recorder,
  files: readonly UploadFile[],
  upload: Upload,
  signal?: AbortSignal,
): Promise<FileUploadResponse[]> {
  const answers: FileUploadResponse[] = [];
  let rest = files.map((file, index) => ({ file, index }));
  while (rest.length > 0) {
    const seen = new Set<string>();
    const later: typeof rest = [];
    const batch = rest.filter((item) => {
      const path = pathOf(item.file);
      if (!seen.has(path)) return seen.add(path);
      later.push(item);
      return false;
    });
    const answered = await uploadBatch(
      recorder,
      batch.map(({ file }) => file),
      upload,
      signal,
    );
    for (const [at, { index }] of batch.entries()) {
      const answer = answered[at];
      if (answer !== undefined) answers[index] = answer;
    }
    rest = later;
  }
  return answers;
}

async function uploadBatch(
  recorder: Recorder,
  files: readonly UploadFile[],
  upload: Upload,
  signal?: AbortSignal,
): Promise<FileUploadResponse[]> {
  const answers: FileUploadResponse[] = [];
  let open = files.map((_, index) => index);
  for (let round = 0; open.length > 0; round++) {
    const batch = open.map((index) => files[index]).filter((file) => file !== undefined);
    const made = await outcomeOf(() => uploadOnce(recorder, batch, upload, signal));
    // What earlier rounds and batches have stored stays answered as stored.
    const answered =
      made.status === "fulfilled" ? made.value : batch.map((file) => refusalOf(file, made.reason));
    const lost: number[] = [];
    for (const [at, index] of open.entries()) {
      const answer = answered[at];
      if (answer === undefined) continue;
      answers[index] = answer;
      const raced = answer.code === "conflict" || answer.code === "already_exists";
      if (raced && !isConditional(files[index]) && round < MAX_ROUNDS) lost.push(index);
    }
    open = lost;
  }
  return answers;
}

async function uploadOnce(
  recorder: Recorder,
  files: readonly UploadFile[],
  upload: Upload,
  signal?: AbortSignal,
): Promise<FileUploadResponse[]> {
  const paths = files.map(pathOf);
  const valid = paths.filter((path) => canonicalFilePath(path).failure === undefined);
  const looks = await lookAtEach(recorder.files, valid, signal);
  const seen = new Map(valid.map((path, index) => [path, looks[index]]));
  const unseen = (path: string): VolumeError | undefined => {
    const look = seen.get(path);
    return look instanceof VolumeError ? look : undefined;
  };
  const rest = files.filter((_, index) => unseen(paths[index] ?? "") === undefined);
  const made = rest.length === 0 ? [] : await uploadSeen(recorder, rest, seen, upload, signal);
  let next = 0;
  return files.flatMap((file, index) => {
    const missed = unseen(paths[index] ?? "");
    return missed === undefined ? (made[next++] ?? []) : [refusalOf(file, missed)];
  });
}

async function uploadSeen(
  recorder: Recorder,
  files: readonly UploadFile[],
  seen: ReadonlyMap<string, SeenState | VolumeError>,
  upload: Upload,
  signal?: AbortSignal,
): Promise<FileUploadResponse[]> {
  const paths = files.map(pathOf);
  const before = new Map(
    [...seen].flatMap(([path, look]) =>
      look instanceof VolumeError ? [] : [[path, look] as const],
    ),
  );
  const changes = files.flatMap(([, bytes], index): Change[] => {
    const path = paths[index] ?? "";
    if (!before.has(path) || !(bytes instanceof Uint8Array)) return [];
    return [{ path, before: stateOf(before.get(path)), after: sideOf(bytes) }];
  });
  const guards = files.map((file, index) => {
    const path = paths[index] ?? "";
    const isGuarded = before.has(path) && recorder.files.guardedAt(path);
    return isGuarded && !isConditional(file) ? conditionOf(before.get(path)) : undefined;
  });
  const exact = files.every((file, index) => {
    const path = paths[index] ?? "";
    if (!before.has(path)) return true;
    const condition = guards[index] ?? file[2] ?? {};
    return recorder.files.guardedAt(path) && isStateOf(condition, before.get(path));
  });
  const given = files.flatMap(([, bytes]) => (bytes instanceof Uint8Array ? [bytes] : []));
  const contents = [...contentsOf([...before.values()]), ...given];
  const intent = { method: "uploadFiles", changes, exact, contents };
  const call = async (id: string): Promise<FileUploadResponse[]> => {
    const answers = await upload(
      files.map((file, index): UploadFile => {
        const guard = guards[index];
        return guard === undefined ? file : [file[0], file[1], guard];
      }),
    );
    const ending = endingOf(changes, new Map(answers.map((answer, at) => [paths[at], answer])));
    if (ending !== undefined) await recorder.end(id, ending, signal);
    return answers;
  };
  return recorder.around(intent, call, signal);
}

/** What the answers say of the changes; `undefined` where one of them leaves open whether it happened. */
function endingOf(
  changes: readonly Change[],
  answers: ReadonlyMap<string | undefined, FileUploadResponse>,
): Ending | undefined {
  const made = changes.flatMap((change): Change[] => {
    const answer = answers.get(change.path);
    if (answer === undefined || answer.error !== null || change.after === null) return [];
    const { version } = answer;
    return [
      { ...change, after: version === undefined ? change.after : { ...change.after, version } },
    ];
  });
  const failed = [...answers.values()].filter(({ error }) => error !== null);
  if (failed.some(({ code }) => isUncertain(new VolumeError(code ?? "unavailable"))))
    return undefined;
  return made.length === 0 && failed.length > 0
    ? { outcome: "refused", code: failed[0]?.code, changes: [] }
    : { outcome: "done", changes: made };
}

/** The answer of a file whose call could not be recorded, or was not answered at all. */
function refusalOf(file: UploadFile, reason: unknown): FileUploadResponse {
  const path = file?.[0];
  return { path, error: "permission_denied", code: failureFromThrown(reason, path).code };
}

function pathOf(file: UploadFile): string {
  const canonical = canonicalFilePath(file?.[0]);
  return canonical.failure === undefined ? canonical.path : file[0];
}

function isConditional(file: UploadFile | undefined): boolean {
  const condition: unknown = file?.[2];
  if (condition === undefined || condition === null) return false;
  // What is no condition at all is left to the backend, which refuses it.
  if (typeof condition !== "object") return true;
  return Object.values(condition).some((value) => value !== undefined && value !== false);
}

/** The condition under which the image before is exact; `undefined` where there is none. */
function conditionOf(seen: SeenState): UploadCondition | undefined {
  if (seen === undefined) return { ifAbsent: true };
  if (seen === CLOSED || seen.version === undefined) return undefined;
  return { ifVersion: seen.version };
}
