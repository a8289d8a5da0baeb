import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isCode } from "./error-code.js";

/** The absolute path of a program on PATH, or in the system folders that root's PATH may lack. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const folder of [...folders, "/usr/bin", "/usr/sbin"]) {
    const path = join(folder, name);
    if (isExecutable(path)) return path;
  }
  return undefined;
}

/** The absolute path of Chromium or Chrome, whatever the system calls it. */
export function findChromium(): string | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  return names.map(findProgram).find((path) => path !== undefined);
}

/** The folder with the newest PostgreSQL's server programs; Debian keeps them off PATH. */
export function findPostgres(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root) : [];
  const folders = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, "bin"))
    .concat((process.env["PATH"] ?? "").split(delimiter));
  return folders.find((folder) =>
    ["initdb", "postgres", "pg_isready"].every((name) => isExecutable(join(folder, name))),
  );
}

function isExecutable(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (isCode(error, "EACCES")) return false;
    throw error;
  }
}
