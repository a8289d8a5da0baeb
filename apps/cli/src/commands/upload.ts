import { failure } from "@fs/protocol";
import { joinPath } from "@fs/protocol/author";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { answer, exitCodeOfAll } from "../answer.js";
import type { Run } from "../context.js";
import { textOption } from "../numbers.js";
import { printable } from "../printable.js";

/** Files that are read and sent at a time. */
const BATCH = 16;

/** `upload`: stores local files below a directory, by their relative names. The patterns are the person's own. */
export const run: Run = async (context, patterns, options) => {
  const to = textOption(options, "to") ?? "/";
  const { default: expand } = await import("fast-glob");
  const names = (
    await expand([...patterns], { dot: true, onlyFiles: true, followSymbolicLinks: false })
  ).toSorted();
  if (names.length === 0)
    return answer(context, failure("not_found", to, "No local file matches."), () => []);
  const files = await context.files([to], true);
  const condition = { ifAbsent: options["overwrite"] !== true };
  const results = [];
  for (let at = 0; at < names.length && !context.signal.aborted; at += BATCH) {
    const batch = await Promise.all(
      names
        .slice(at, at + BATCH)
        .map(async (name): Promise<[string, Uint8Array, typeof condition]> => {
          const path = joinPath(to === "/" ? "" : to, name.replace(/^(?:\.{1,2}\/)+|^\/+/, ""));
          return [path, new Uint8Array(await readFile(resolve(name))), condition];
        }),
    );
    const stored = await files.uploadFiles?.(batch, { signal: context.signal });
    results.push(
      ...(stored ??
        batch.map(([path]) => ({
          path,
          error: "permission_denied" as const,
          code: "unsupported" as const,
        }))),
    );
    context.output.progress(results.length, names.length);
  }
  const settled = results.map((result) =>
    result.error === null
      ? { path: result.path }
      : {
          path: result.path,
          error: failure(result.code ?? "unavailable", result.path).error,
          code: result.code,
        },
  );
  await context.output.result(settled, () =>
    settled.flatMap((result) =>
      result.error === undefined ? [`Uploaded ${printable(result.path)}`] : [],
    ),
  );
  for (const { error } of settled)
    if (error !== undefined && !context.output.json) context.output.note(`fs-agent: ${error}`);
  return exitCodeOfAll(settled);
};
