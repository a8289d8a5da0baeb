import { frontMatterOf } from "./front-matter.js";

/** What the Agent Skills standard says of a skill. */
export interface SkillMetadata {
  name: string;
  description: string;
  /** Path of its `SKILL.md` in the backend. */
  path: string;
  license?: string | null;
  compatibility?: string | null;
  metadata?: Record<string, string>;
  allowedTools?: string[];
}

/** Bytes of a `SKILL.md`. */
export const MAX_SKILL_FILE_SIZE: number = 1024 * 1024;
/** Characters of a skill's name. */
export const MAX_SKILL_NAME_LENGTH = 64;
/** Characters of a skill's description. */
export const MAX_SKILL_DESCRIPTION_LENGTH = 1024;
/** Characters of a skill's compatibility. */
export const MAX_SKILL_COMPATIBILITY_LENGTH = 500;

/** A skill and what is wrong with it, or what is so wrong that it is none. */
export type ParsedSkill =
  | { readonly skill: SkillMetadata; readonly warnings: readonly string[] }
  | { readonly skill?: undefined; readonly problem: string };

const NAME = /^(?!-)(?:[\p{Ll}\p{Lo}\p{N}]|-(?!-|$))+$/u;

/** Reads a `SKILL.md`. Breaking a rule for names is a warning; a missing description or hopeless YAML makes it no skill. */
export function parseSkill(text: string, path: string): ParsedSkill {
  const front = frontMatterOf(text);
  if (front.problem !== undefined) return { problem: front.problem };
  const { values } = front;
  const warnings: string[] = [];
  const directory = path.split("/").at(-2) ?? "";
  const description = textOf(values.get("description"))?.trim() ?? "";
  if (description === "") return { problem: "it has no description" };
  let name = textOf(values.get("name"))?.trim() ?? "";
  if (name === "") {
    warnings.push("it has no name; its directory's is used");
    name = directory;
  } else if (name !== directory) warnings.push(`its name is not its directory's, '${directory}'`);
  if (name.length > MAX_SKILL_NAME_LENGTH || !NAME.test(name))
    warnings.push("its name is not 1–64 lower-case letters, digits and single hyphens");
  const cut = (value: string, most: number, field: string): string => {
    if (value.length <= most) return value;
    warnings.push(`its ${field} was cut after ${most} characters`);
    return value.slice(0, most).toWellFormed();
  };
  const license = textOf(values.get("license"));
  const compatibility = textOf(values.get("compatibility"));
  const metadata = values.get("metadata");
  const tools = values.get("allowed-tools");
  return {
    warnings,
    skill: {
      name: cut(name, MAX_SKILL_NAME_LENGTH, "name"),
      description: cut(description, MAX_SKILL_DESCRIPTION_LENGTH, "description"),
      path,
      ...(license === undefined ? {} : { license }),
      ...(compatibility === undefined
        ? {}
        : { compatibility: cut(compatibility, MAX_SKILL_COMPATIBILITY_LENGTH, "compatibility") }),
      ...(metadata instanceof Map ? { metadata: stringsOf(metadata) } : {}),
      ...(tools === undefined || tools === null ? {} : { allowedTools: listOf(tools) }),
    },
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function stringsOf(map: ReadonlyMap<unknown, unknown>): Record<string, string> {
  return Object.fromEntries(
    [...map].map(([key, value]) => [String(key), textOf(value) ?? JSON.stringify(value) ?? ""]),
  );
}

function listOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : (textOf(value) ?? "").split(/[\s,]+/);
  return items.flatMap((item) => textOf(item) ?? []).filter((item) => item !== "");
}
