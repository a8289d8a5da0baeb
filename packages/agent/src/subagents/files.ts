import {
  filesChanged,
  filesReducedValue,
  filesSchema,
  type FilesRecord,
  sharedFiles,
} from "@fs/state";
import { isRecord } from "../messages/record.js";

/** What a subagent's `configurable` needs to work on the caller's files; nothing where the caller has none in its state. */
export function sharing(): Readonly<Record<string, unknown>> {
  try {
    return sharedFiles();
  } catch (error) {
    if (isRecordOfCode(error, "unsupported")) return {};
    throw error;
  }
}

function isRecordOfCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

const OURS: ReadonlySet<unknown> = new Set([
  filesSchema.fields.files.reducer,
  filesReducedValue().reducer,
]);

/**
 * Whether a runnable has a `files` field that is not of @fs/state, such as one of `deepagents`: its tools work on a copy, which
 * has to be handed in and back.
 */
export function copiesFiles(runnable: unknown): boolean {
  const graph = isRecord(runnable) && isRecord(runnable["graph"]) ? runnable["graph"] : runnable;
  const channels = isRecord(graph) ? graph["channels"] : undefined;
  const field = isRecord(channels) ? channels["files"] : undefined;
  if (!isRecord(field)) return false;
  return !OURS.has(field["reducer"]) && !OURS.has(field["operator"]);
}

/** What such a copy changed, as an update of the caller's files. */
export function changedCopy(before: unknown, result: unknown): Record<string, unknown> {
  const after = isRecord(result) ? result["files"] : undefined;
  if (!isRecord(after)) return {};
  const changed = filesChanged(
    (isRecord(before) ? before : {}) as FilesRecord,
    after as FilesRecord,
  );
  return Object.keys(changed).length === 0 ? {} : { files: changed };
}
