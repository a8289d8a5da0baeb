import type { Failure, MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

/** The refusal of a path that is below a file, or at a directory, whose name only differs in case. */
async function blocked(
  inner: MemoryBackend,
  path: unknown,
  what: "file" | "directory",
): Promise<Failure | undefined> {
  if (typeof path !== "string" || (await inner.stat(path)).error === undefined) return undefined;
  const folded = path.toLowerCase();
  const { files = [] } = await inner.glob("**");
  const others = files
    .map((file) => file.path)
    .filter((other) => {
      const name = other.toLowerCase();
      return what === "file"
        ? folded.startsWith(`${name}/`) && !path.startsWith(`${other}/`)
        : name.startsWith(`${folded}/`) && !other.startsWith(`${path}/`);
    });
  if (others.length === 0) return undefined;
  const code = what === "file" ? "not_directory" : "is_directory";
  return { error: `'${path}' cannot be stored: something is in its way.`, code };
}

function blocking(
  what: "file" | "directory",
  method: "write" | "uploadFiles" | "move" | "copy",
): Mutant {
  const name = `name/${what}-in-other-case-blocks-${method}`;
  const by = `path/case-in-the-way-of-${method === "uploadFiles" ? "an-upload" : `a-${method}`}`;
  return {
    by,
    ...mutant(
      name,
      "P4",
      `A ${what} whose name differs in case is in the way of ${method}.`,
      (inner) => ({
        ...(method === "write" && {
          write: async (path, ...rest) =>
            (await blocked(inner, path, what)) ?? inner.write(path, ...rest),
        }),
        ...(method === "uploadFiles" && {
          uploadFiles: async (files, ...rest) => {
            for (const [path] of Array.isArray(files) ? files : []) {
              const failure = await blocked(inner, path, what);
              if (failure !== undefined)
                return files.map((file) => ({
                  path: file[0],
                  error: "invalid_path",
                  code: failure.code,
                }));
            }
            return inner.uploadFiles(files, ...rest);
          },
        }),
        ...(method === "move" && {
          move: async (from, to, ...rest) =>
            (await blocked(inner, to, what)) ?? inner.move(from, to, ...rest),
        }),
        ...(method === "copy" && {
          copy: async (from, to, ...rest) =>
            (await blocked(inner, to, what)) ?? inner.copy(from, to, ...rest),
        }),
      }),
    ),
  };
}

/** Names that are in the way of others, which only resemble them. */
export const FOLD_MUTANTS: readonly Mutant[] = (["file", "directory"] as const).flatMap((what) =>
  (["write", "uploadFiles", "move", "copy"] as const).map((method) => blocking(what, method)),
);
