import { optionsOf } from "@fs/protocol/async";
import type { Filesystem, GrepMatch } from "@fs/protocol";
import { joinPath, prefixOf } from "@fs/protocol/author";
import { resolvePath } from "@fs/protocol/bridge";
import type { Command, CommandContext, ExecResult } from "just-bash";
import type { BashFilesystem } from "./bash-filesystem.js";
import { searchOf, type Search } from "./search-arguments.js";

/** Files that `rg` obeys: where there is one, only `rg` itself knows what to leave out. */
const IGNORE_FILES = "**/{.gitignore,.ignore,.rgignore}";

/**
 * `grep -r` and `rg` that search where the files are, in one call for each path. What they cannot do exactly as the shell's
 * own commands — other options, other patterns, files and not directories — is left to those.
 */
export function searchCommands(fs: BashFilesystem, backend: Filesystem): Command[] {
  return (["grep", "rg"] as const).map((name) => ({
    name,
    trusted: true,
    async execute(args, context): Promise<ExecResult> {
      const search = searchOf(name, args);
      const found =
        search === undefined
          ? undefined
          : await fs.outside(["/"], () => searched(backend, name, search, context));
      if (found !== undefined) return answerOf(found);
      return (
        (await context.origCommand?.(args)) ?? {
          stdout: "",
          stderr: `bash: ${name}: command not found\n`,
          exitCode: 127,
        }
      );
    },
  }));
}

async function searched(
  backend: Filesystem,
  name: "grep" | "rg",
  search: Search,
  { cwd, signal }: CommandContext,
): Promise<string[] | undefined> {
  const call = optionsOf(signal);
  if (name === "rg") {
    const ignoring = await backend.glob(IGNORE_FILES, "/", call);
    if (ignoring.error !== undefined || ignoring.files.length > 0) return undefined;
  }
  const lines: string[] = [];
  for (const written of search.paths) {
    const root = resolvePath(cwd, written);
    const { ignoreCase, regex } = search;
    const options = { ignoreCase, regex, ...call };
    const found = await backend.grep(search.pattern, root, null, null, options);
    const isWhole = found.truncated !== true && found.warnings === undefined;
    if (found.error !== undefined || !isWhole) return undefined;
    // A file is not searched as a directory is: its name is left out, and it may be hidden.
    if (found.matches.some(({ path }) => path === root)) return undefined;
    if (found.matches.length === 0) {
      const listed = await backend.ls(root, call);
      if (listed.error !== undefined) return undefined;
    }
    // Both commands of just-bash pass over hidden files.
    const shown = found.matches.filter(({ path }) => !isHidden(path, root));
    for (const line of linesOf(shown, search, (path) => writtenAs(path, root, written)))
      lines.push(line);
  }
  return lines;
}

function linesOf(
  matches: readonly GrepMatch[],
  { filesOnly, lineNumbers, names }: Search,
  nameOf: (path: string) => string,
): string[] {
  if (filesOnly) return [...new Set(matches.map(({ path }) => nameOf(path)))];
  return matches.map(({ path, line, text }) =>
    [...(names ? [nameOf(path)] : []), ...(lineNumbers ? [line] : []), text].join(":"),
  );
}

/** A found path as the shell prints it: behind the directory as it was written, which `.` is not. */
function writtenAs(path: string, root: string, written: string): string {
  const below = path.slice(prefixOf(root).length);
  if (written === "." || written === "./") return below;
  return joinPath(written, below);
}

function isHidden(path: string, root: string): boolean {
  return path.slice(root.length).includes("/.");
}

function answerOf(lines: readonly string[]): ExecResult {
  const stdout = lines.map((line) => `${line}\n`).join("");
  return { stdout, stderr: "", exitCode: lines.length === 0 ? 1 : 0 };
}
