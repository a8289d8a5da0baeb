import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { errnoOf } from "../tree/refusals.js";

/** Which ripgrep to use: a path, `false` for none, `undefined` for the first that is found. */
export type RipgrepChoice = string | false | undefined;

const PROGRAM = process.platform === "win32" ? "rg.exe" : "rg";

/**
 * The ripgrep to start: the chosen one, else one on `PATH`, else that of the optional package `@vscode/ripgrep`.
 * `undefined` when there is none. Never one inside `servedRoot`, where an agent could have put it.
 */
export async function findRipgrep(
  choice: RipgrepChoice,
  servedRoot: string,
): Promise<string | undefined> {
  if (choice === false) return undefined;
  if (choice !== undefined) return choice;
  return onPath(servedRoot) ?? (await packaged());
}

function onPath(servedRoot: string): string | undefined {
  for (const directory of (process.env["PATH"] ?? "").split(delimiter)) {
    // A relative entry means another place in every directory.
    if (!isAbsolute(directory)) continue;
    const program = executableAt(join(directory, PROGRAM));
    if (program !== undefined && !isInside(program, servedRoot)) return program;
  }
  return undefined;
}

function executableAt(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? realpathSync.native(path) : undefined;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

function isInside(path: string, root: string): boolean {
  // With the whole disk served there is no outside.
  return root !== "/" && (path === root || path.startsWith(`${root}/`));
}

let fromPackage: Promise<string | undefined> | undefined;

function packaged(): Promise<string | undefined> {
  fromPackage ??= import("@vscode/ripgrep").then(
    ({ rgPath }) => executableAt(rgPath),
    (error: unknown) => {
      // Installed or not, it could not be read this time: the next search asks again.
      if (errnoOf(error) !== "ERR_MODULE_NOT_FOUND") fromPackage = undefined;
      return undefined;
    },
  );
  return fromPackage;
}
