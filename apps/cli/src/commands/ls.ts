import type { FileInfo } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { printable } from "../printable.js";

/** `ls`: the children of a directory. */
export const run: Run = async (context, [path = "/"], { long }) => {
  const files = await context.files([path]);
  const listed = await files.ls(path, { signal: context.signal });
  return answer(context, listed, (result) =>
    result.files.map((file) => (long === true ? longLine(file) : printable(file.path))),
  );
};

function longLine({ path, is_dir, size, modified_at, version }: FileInfo): string {
  const bytes = is_dir === true || size === undefined ? "-" : String(size);
  return [bytes.padStart(12), modified_at ?? "-", printable(path), version ?? ""]
    .join("  ")
    .trimEnd();
}
