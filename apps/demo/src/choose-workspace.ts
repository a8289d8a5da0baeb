import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";

/** A directory to explore, or the one line that says why there is none. */
export type Workspace =
  | { readonly directory: string; readonly problem?: never }
  | { readonly problem: string };

/**
 * The directory that the demo explores.
 *
 * @param given As on the command line, relative to the working directory.
 * @param fallback The directory without an argument.
 */
export async function chooseWorkspace(
  given: string | undefined,
  fallback: string,
): Promise<Workspace> {
  const wanted = resolve(given ?? fallback);
  try {
    if (!(await stat(wanted)).isDirectory()) return { problem: `${wanted} is not a directory.` };
    return { directory: await realpath(wanted) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return { problem: `${wanted} does not exist.` };
    if (code === "EACCES") return { problem: `${wanted} cannot be read by this user.` };
    throw error;
  }
}
