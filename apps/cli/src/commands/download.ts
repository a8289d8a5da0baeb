import { type ErrorCode, failure } from "@fs/protocol";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { answer, exitCodeOfAll } from "../answer.js";
import type { Run } from "../context.js";
import { EXIT } from "../exit-codes.js";
import { printable } from "../printable.js";

/** What became of one file. */
interface Saved {
  readonly path: string;
  readonly error?: string;
  readonly code?: ErrorCode;
}

/** `download`: a file or a directory into a local folder; `-` is standard output. */
export const run: Run = async (context, [path = "/", folder = "-"], { overwrite }) => {
  const files = await context.files([path], true);
  const { signal } = context;
  const below = await files.glob("**", path, { signal });
  if (below.error !== undefined) return answer(context, below, () => []);
  const { warnings = [] } = below;
  const paths = below.files.length > 0 ? below.files.map((file) => file.path) : [path];
  const results: Saved[] = [];
  for (const from of paths) {
    const [got] = (await files.downloadFiles?.([from], { signal })) ?? [];
    if (got === undefined || got.error !== null) {
      const code = got?.code ?? "unsupported";
      results.push({ path: from, error: failure(code, from).error, code });
    } else if (folder === "-") {
      await context.output.content(got.content);
      results.push({ path: from });
    } else results.push(await save(folder, from, path, got.content, overwrite === true));
    context.output.progress(results.length, paths.length);
  }
  if (results.length === 1 && results[0]?.error !== undefined)
    return answer(context, results[0], () => []);
  for (const { error } of results)
    if (error !== undefined && !context.output.json) context.output.note(`fs-agent: ${error}`);
  for (const warning of warnings) context.output.note(`fs-agent: ${warning}`);
  const code = exitCodeOfAll(results);
  const exitCode = code === EXIT.ok && warnings.length > 0 ? EXIT.partial : code;
  if (folder === "-") return exitCode;
  await context.output.result(results, () =>
    results.flatMap((result) =>
      result.error === undefined ? [`Downloaded ${printable(result.path)}`] : [],
    ),
  );
  return exitCode;
};

/** Writes a file below the folder, and never outside of it, whatever its name. */
async function save(
  folder: string,
  from: string,
  root: string,
  bytes: Uint8Array,
  overwrite: boolean,
): Promise<Saved> {
  const top = resolve(folder);
  const name = from === root ? basename(from) : relative(root, from);
  const target = join(top, name);
  if (target !== top && !target.startsWith(top + sep))
    return { path: from, error: failure("invalid_path", from).error, code: "invalid_path" };
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes, { flag: overwrite ? "w" : "wx" });
    return { path: from };
  } catch (error) {
    const exists = Reflect.get(Object(error), "code") === "EEXIST";
    const code = exists ? "already_exists" : "unavailable";
    return {
      path: from,
      error: failure(
        code,
        from,
        exists
          ? `A local file for '${from}' exists; give --overwrite.`
          : `'${from}' cannot be stored locally.`,
      ).error,
      code,
    };
  }
}
