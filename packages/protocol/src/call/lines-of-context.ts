import type { GrepMatch } from "../types/results.js";

/** Lines of context that one answer may hold (rule S8). */
const MAX_CONTEXT_LINES = 200_000;

/** Why so many matches cannot have so many lines around each, if they cannot. */
export function contextRefusal(matches: number, linesEach: number): string | undefined {
  if (matches * linesEach <= MAX_CONTEXT_LINES) return undefined;
  return `${matches} matches with ${linesEach} lines of context each are more than ${MAX_CONTEXT_LINES} lines. Ask for fewer lines, or give a maxCount.`;
}

/** Matches by their file, as lines of context are read. */
export function matchesByFile(matches: readonly GrepMatch[]): Map<string, GrepMatch[]> {
  const files = new Map<string, GrepMatch[]>();
  for (const match of matches) {
    const group = files.get(match.path);
    if (group === undefined) files.set(match.path, [match]);
    else group.push(match);
  }
  return files;
}
