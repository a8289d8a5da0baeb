import type { FileAccess } from "../store/file-access.js";
import { VolumeError } from "@fs/protocol/author";
import type { Change } from "../change.js";
import { applyChange, type ApplyContext } from "./apply-change.js";
import type { PathReport } from "./report.js";

/** What would become of a change now, by the same steps, with calls that only look. */
export async function foresee(context: ApplyContext, change: Change): Promise<PathReport> {
  const { files, blobs } = context;
  return applyChange(
    {
      ...context,
      verify: false,
      blobs: { ...blobs, put: async () => [] },
      files: {
        ...files,
        put: async (path, bytes, condition, signal) => {
          const seen = await seenNow(files, path, signal);
          refuseUnless(condition?.ifAbsent !== true || seen === undefined, path);
          refuseUnless(
            condition?.ifVersion === undefined || seen?.version === condition.ifVersion,
            path,
          );
          return { size: bytes.length };
        },
        remove: async (path, version, signal) => {
          const seen = await seenNow(files, path, signal);
          refuseUnless(
            seen === undefined || version === undefined || seen.version === version,
            path,
          );
          return seen !== undefined;
        },
      },
    },
    change,
  );
}

/** A file with its version, which a storage may only say with the content. */
async function seenNow(
  files: FileAccess,
  path: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly version?: string | undefined } | undefined> {
  const looked = await files.look(path, signal);
  return looked === undefined || looked.version !== undefined ? looked : files.get(path, signal);
}

function refuseUnless(holds: boolean, path: string): void {
  if (!holds) throw new VolumeError("conflict", undefined, { path });
}
