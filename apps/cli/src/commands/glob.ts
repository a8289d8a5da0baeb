import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { printable } from "../printable.js";

/** `glob`: the files whose path matches. */
export const run: Run = async (context, [pattern = "", path = "/"]) => {
  const files = await context.files([path], true);
  const found = await files.glob(pattern, path, { signal: context.signal });
  return answer(context, found, (result) => result.files.map((file) => printable(file.path)));
};
