import { failure } from "@fs/protocol";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { printable } from "../printable.js";

/** `stat`: what is known of a file without its content. */
export const run: Run = async (context, [path = "/"]) => {
  const files = await context.files([path]);
  const found =
    (await files.stat?.(path, { signal: context.signal })) ?? failure("unsupported", path);
  return answer(context, found, (result) =>
    Object.entries(result.info).map(([name, value]) => `${name}: ${printable(String(value))}`),
  );
};
