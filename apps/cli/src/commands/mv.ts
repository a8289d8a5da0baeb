import { failure } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { printable } from "../printable.js";

/** `mv`: a file, or a directory with all below it. */
export const run: Run = async (context, [from = "", to = ""], { overwrite }) => {
  const files = await context.files([from, to], true);
  const call = { signal: context.signal, overwrite: overwrite === true };
  const done = (await files.move?.(from, to, call)) ?? failure("unsupported", from);
  return answer(context, done, () => [`Moved ${printable(from)} to ${printable(to)}`]);
};
