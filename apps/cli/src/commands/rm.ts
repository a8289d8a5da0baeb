import { type ErrorCode, failure } from "@fs/protocol";
import { exitCodeOfAll } from "../answer.js";
import type { Run } from "../context.js";
import { textOption } from "../numbers.js";
import { printable } from "../printable.js";

/** `rm`: removes files and directories. One that fails stops no other. */
export const run: Run = async (context, paths, options) => {
  const files = await context.files(paths, true);
  const ifVersion = textOption(options, "ifVersion");
  const call = { signal: context.signal, ...(ifVersion === undefined ? {} : { ifVersion }) };
  const results: Array<{ path: string; error?: string; code?: ErrorCode }> = [];
  for (const path of paths) {
    const result = (await files.delete?.(path, call)) ?? failure("unsupported", path);
    results.push(
      result.error === undefined ? result : { path, error: result.error, code: result.code },
    );
  }
  const lines = results.flatMap((result) =>
    result.error === undefined ? [`Removed ${printable(result.path)}`] : [],
  );
  await context.output.result(results, () => lines);
  for (const { error } of results)
    if (error !== undefined && !context.output.json) context.output.note(`fs-agent: ${error}`);
  return exitCodeOfAll(results);
};
