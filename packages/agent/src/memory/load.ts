import { estimateTokens, type TokenCounter } from "@fs/middleware";
import type { Filesystem } from "@fs/protocol";
import { loadTexts } from "../files/download.js";
import type { OnError } from "../types/report.js";

/** Tokens of one memory file that reach the prompt. */
const MAX_MEMORY_TOKENS = 20_000;

/**
 * The memory files that are there, by path and in the order of the sources. A missing file is no error; one that cannot be
 * read is reported and left out; a long one is cut with a note.
 */
export async function loadMemory(
  backend: Filesystem,
  sources: readonly string[],
  report: OnError,
  count: TokenCounter = estimateTokens,
): Promise<Record<string, string>> {
  const files = await loadTexts(backend, [...new Set(sources)]);
  const contents: Record<string, string> = {};
  for (const file of files) {
    if (file.text !== undefined) contents[file.path] = cut(file.text, file.path, count);
    else if (file.problem !== "missing")
      report(new Error(`Memory file ${file.path} was left out: ${file.problem}.`), {
        where: "memory",
      });
  }
  return contents;
}

function cut(text: string, path: string, count: TokenCounter): string {
  // Halving finds a length that fits without counting every prefix; the result is at least half of what would fit.
  let kept = text;
  while (count(kept) > MAX_MEMORY_TOKENS) {
    const share = MAX_MEMORY_TOKENS / count(kept);
    kept = kept.slice(0, Math.floor(kept.length * Math.min(share, 0.95))).toWellFormed();
  }
  if (kept.length === text.length) return text;
  const note = `[cut after ${kept.length} of ${text.length} characters; read the rest of ${path} with read_file]`;
  return `${kept}\n${note}`;
}
