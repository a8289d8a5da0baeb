import { failure } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { printable } from "../printable.js";

/** `cp`: a file, or a directory with all below it. */
export const run: Run = async (context, [from = "", to = ""], { overwrite }) => {
  const files = await context.files([from, to], true);
  const call = { signal: context.signal, overwrite: overwrite === true };
  const done = (await files.copy?.(from, to, call)) ?? failure("unsupported", from);
  return answer(context, done, () => [`Copied ${printable(from)} to ${printable(to)}`]);
};
