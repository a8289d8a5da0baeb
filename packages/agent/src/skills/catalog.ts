import { estimateTokens } from "@fs/middleware";
import type { SkillMetadata } from "./parse.js";

/** Tokens of all lines of a catalog. */
const MAX_CATALOG_TOKENS = 8000;

/** The skills section of the prompt: the guide, then one line for each skill. Empty without skills. */
export function catalogOf(guide: string, skills: readonly SkillMetadata[], more = 0): string {
  if (skills.length === 0) return "";
  const lines: string[] = [];
  let tokens = 0;
  for (const skill of skills) {
    const line = lineOf(skill);
    tokens += estimateTokens(line) + 1;
    if (tokens > MAX_CATALOG_TOKENS) break;
    lines.push(line);
  }
  const rest = skills.length - lines.length + more;
  const note = rest === 0 ? [] : [`- and ${rest} more; find them with glob '*/SKILL.md'`];
  return [...(guide === "" ? [] : [guide]), ...lines, ...note].join("\n");
}

function lineOf({ name, description, path, compatibility, allowedTools }: SkillMetadata): string {
  const needs = compatibility ? ` Needs: "${oneLine(compatibility)}".` : "";
  const tools =
    allowedTools === undefined || allowedTools.length === 0
      ? ""
      : ` Tools: ${oneLine(allowedTools.join(", ")).slice(0, 200)}.`;
  return `- ${oneLine(name)}: "${oneLine(description)}"${needs}${tools} (${oneLine(path)})`;
}

/** A text that cannot leave its line: line ends and control characters become blanks. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
}
