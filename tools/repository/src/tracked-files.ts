import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./workspace.js";

/** Every file that git tracks or would track, relative to the repository. */
export function trackedFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed.split("\0").filter((file) => file !== "" && existsSync(join(root, file)));
}

const VAGUE = /^(?:utils?|helpers?|common|misc)$/i;
const KEBAB = /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
// README, LICENSE, CHANGELOG.md and the like keep the spelling that tools and people look for.
const CAPITALS = /^[A-Z]+(?:_[A-Z]+)*(?:\.md)?$/;

/** What is wrong with a file's name, if anything. */
export function nameProblem(file: string): string | undefined {
  // Fixtures imitate other people's files.
  if (/(?:^|\/)fixtures?\//.test(file)) return undefined;
  // Python imports its files by name, and a name holds no hyphen.
  const checked = file.endsWith(".py") ? file.replaceAll("_", "-") : file;
  for (const segment of checked.split("/")) {
    if (VAGUE.test(segment.split(".")[0] ?? "")) return `${file}: "${segment}" says nothing`;
    if (!KEBAB.test(segment) && !CAPITALS.test(segment)) return `${file}: not in kebab-case`;
  }
  return undefined;
}

// Written in pieces so that this file does not find itself.
const MACHINE_PATH = new RegExp(`(?<![\\w.~*}-])/(?:${["work", "root", "home"].join("|")})/`);
const REGISTRY = new RegExp(["registry", "(?:npmjs|yarnpkg|npmmirror)"].join("\\."));

/** The lines of a file that name a folder of somebody's machine or a package registry. */
export function contentProblems(file: string, content: string): string[] {
  if (basename(file) === "pnpm-lock.yaml") return [];
  return content.split("\n").flatMap((line, index) => {
    const found = MACHINE_PATH.exec(line) ?? REGISTRY.exec(line);
    return found ? [`${file}:${index + 1}: ${found[0]}`] : [];
  });
}

/**
 * Published packages that start programs in more than one file. In one place a child without a process id is never signalled
 * and no event lacks a listener; the second place is where that is forgotten.
 */
export function scatteredStarts(files: readonly string[]): string[] {
  const starting = new Map<string, string[]>();
  for (const file of files) {
    const owner = /^packages\/([^/]+)\/src\/.*\.ts$/.exec(file)?.[1];
    if (
      owner === undefined ||
      !/["']node:child_process["']/.test(readFileSync(join(root, file), "utf8"))
    )
      continue;
    starting.set(owner, [...(starting.get(owner) ?? []), file]);
  }
  return [...starting.values()]
    .filter((found) => found.length > 1)
    .map((found) => found.join(", "));
}

export const MAX_SOURCE_LINES = 300;

/** Source files that have grown beyond one job. */
export function longSources(files: readonly string[]): string[] {
  return files
    .filter((file) => /^(?:packages|apps|tools)\/[^/]+\/src\/.*\.ts$/.test(file))
    .map((file) => ({ file, lines: readFileSync(join(root, file), "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > MAX_SOURCE_LINES)
    .map(({ file, lines }) => `${file}: ${lines} lines`);
}
