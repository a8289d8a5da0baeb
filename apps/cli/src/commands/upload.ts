import { type ErrorCode, failure, type Filesystem, type UploadCondition } from "@fs/protocol";
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
  const results: Sent[] = [];
  for (let at = 0; at < names.length; at += BATCH) {
    const batch = names.slice(at, at + BATCH).map((name) => ({ name, path: pathOf(name, to) }));
    results.push(...(await send(files, batch, condition, context.signal)));
    context.output.progress(results.length, names.length);
  }
  const settled = results.map(({ path, code, error }) =>
    code === undefined ? { path } : { path, error: error ?? failure(code, path).error, code },
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

/** What became of one file. */
interface Sent {
  readonly path: string;
  readonly code?: ErrorCode;
  readonly error?: string;
}

function pathOf(name: string, to: string): string {
  return joinPath(to === "/" ? "" : to, name.replace(/^(?:\.{1,2}\/)+|^\/+/, ""));
}

/** Stores local files. One that cannot be read stops no other, and once the signal fired none is sent. */
async function send(
  files: Filesystem,
  batch: ReadonlyArray<{ readonly name: string; readonly path: string }>,
  condition: UploadCondition,
  signal: AbortSignal,
): Promise<readonly Sent[]> {
  if (signal.aborted) return batch.map(({ path }) => ({ path, code: "aborted" }));
  const read = await Promise.allSettled(batch.map(({ name }) => readFile(resolve(name))));
  const found = batch.flatMap(({ path }, index): Array<[string, Uint8Array, UploadCondition]> => {
    const one = read[index];
    return one?.status === "fulfilled" ? [[path, new Uint8Array(one.value), condition]] : [];
  });
  const stored = found.length === 0 ? [] : ((await files.uploadFiles?.(found, { signal })) ?? []);
  // In the order of those that could be read.
  const answers = stored.values();
  return batch.map(({ name, path }, index): Sent => {
    if (read[index]?.status !== "fulfilled")
      return { path, code: "unavailable", error: `The local file '${name}' cannot be read.` };
    const { value: one } = answers.next();
    if (one === undefined) return { path, code: "unsupported" };
    return one.error === null ? { path } : { path, code: one.code ?? "unavailable" };
  });
}
