import type { CallOptions, Filesystem } from "@fs/protocol";
import { loadTexts } from "../files/download.js";
import type { OnError } from "../types/report.js";
import { MAX_SKILL_FILE_SIZE, parseSkill, type SkillMetadata } from "./parse.js";

/** Skills that are read at all; the others are only counted. */
const MAX_SKILLS = 500;

/** What the sources hold. */
export interface LoadedSkills {
  readonly skills: SkillMetadata[];
  /** Skills beyond {@link MAX_SKILLS}. */
  readonly more: number;
}

/**
 * The skills of all sources, by name. A source is a folder of skills, or one skill; it costs one search and one download.
 * Later sources override earlier ones. What is no skill, breaks a rule or overrides another is reported once.
 */
export async function loadSkills(
  backend: Filesystem,
  sources: readonly string[],
  report: OnError,
  options: CallOptions = {},
): Promise<LoadedSkills> {
  const warn = (path: string, what: string): void =>
    report(new Error(`Skill ${path}: ${what}.`), { where: "skills" });
  const found = await Promise.all(
    sources.map((source) => skillFiles(backend, source, warn, options)),
  );
  let left = MAX_SKILLS;
  const taken = found.map((paths) => {
    const some = paths.slice(0, left);
    left -= some.length;
    return some;
  });
  const texts = await Promise.all(taken.map((paths) => loadTexts(backend, paths, options)));
  const skills = new Map<string, SkillMetadata>();
  for (const file of texts.flat()) {
    if (file.text === undefined) {
      if (file.problem !== "missing") warn(file.path, `it was left out: ${file.problem}`);
      continue;
    }
    const parsed = parseSkill(file.text, file.path);
    if (parsed.skill === undefined) {
      warn(file.path, `it was left out: ${parsed.problem}`);
      continue;
    }
    if (parsed.warnings.length > 0) warn(file.path, parsed.warnings.join("; "));
    const { name } = parsed.skill;
    const earlier = skills.get(name);
    if (earlier !== undefined && earlier.path !== file.path)
      warn(file.path, `it replaces ${earlier.path}, which has the same name`);
    // Removed first, so that the order is that of the sources that won.
    skills.delete(name);
    skills.set(name, parsed.skill);
  }
  const all = found.reduce((sum, paths) => sum + paths.length, 0);
  return { skills: [...skills.values()], more: Math.max(0, all - MAX_SKILLS) };
}

type Warn = (path: string, what: string) => void;

async function skillFiles(
  backend: Filesystem,
  source: string,
  warn: Warn,
  options: CallOptions,
): Promise<string[]> {
  const root = source.replace(/\/+$/, "") || "/";
  const found = await backend.glob("{SKILL.md,*/SKILL.md}", root, options);
  const { files, ...failed } = found;
  if (files === undefined || failed.error !== undefined) {
    if ("code" in failed && failed.code === "not_found") return [];
    warn(source, `the source could not be searched: ${failed.error ?? "no answer"}`);
    return [];
  }
  if (found.truncated === true || found.warnings !== undefined)
    warn(source, "the search left something out; skills may be missing");
  const fitting = files.filter(({ path, size }) => {
    if (size === undefined || size <= MAX_SKILL_FILE_SIZE) return true;
    warn(path, `it was left out: ${size} bytes are more than ${MAX_SKILL_FILE_SIZE}`);
    return false;
  });
  const paths = fitting.map(({ path }) => absolute(path, root)).toSorted();
  // A source with a SKILL.md of its own is one skill, whatever its folders hold.
  const own = paths.filter((path) => path === `${root === "/" ? "" : root}/SKILL.md`);
  return own.length > 0 ? own : paths;
}

function absolute(path: string, root: string): string {
  return path.startsWith("/") ? path : `${root === "/" ? "" : root}/${path}`;
}
