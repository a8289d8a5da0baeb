import type { FileInfo } from "@fs/protocol";
import { z } from "zod";
import { present } from "../answer.js";

/** Files and directories in structured answers: `path`, and what is known of `is_dir`, `size`, `modified_at`, `version`. */
export const FILE_ENTRIES = z.array(z.unknown());

/** What is known of an entry, for programs; a directory has no size, whatever its backend says. */
export function fileEntryOf(info: FileInfo): Record<string, unknown> {
  const { path, is_dir, size, modified_at, version } = info;
  return {
    path,
    ...present({
      is_dir: is_dir === true ? true : undefined,
      size: is_dir === true ? undefined : size,
      modified_at,
      version,
    }),
  };
}
