import { estimateTokens, type TokenCounter } from "@fs/middleware";
import type { CallOptions, Filesystem } from "@fs/protocol";
import { loadTexts } from "../files/download.js";
import type { OnError } from "../types/report.js";

/** Tokens of one memory file that reach the prompt. */
const MAX_MEMORY_TOKENS = 20_000;

/** What the sources hold. */
export interface LoadedMemory {
  /** The files that are there, by path and in the order of the sources; a long one is cut with a note. */
  readonly contents: Record<string, string>;
  /** The paths at which there is something that could not be read, or may be. */
  readonly unreadable: string[];
}

/** Reads the memory files. A missing one is no error; one that cannot be read is reported. */
export async function loadMemory(
  backend: Filesystem,
  sources: readonly string[],
  report: OnError,
  options: CallOptions = {},
  count: TokenCounter = estimateTokens,
): Promise<LoadedMemory> {
  const files = await loadTexts(backend, [...new Set(sources)], options);
  const unreadable: string[] = [];
  const contents: Record<string, string> = {};
  for (const file of files) {
    if (file.text !== undefined) contents[file.path] = cut(file.text, file.path, count);
    else if (file.problem !== "missing") {
      unreadable.push(file.path);
      report(new Error(`Memory file ${file.path} was left out: ${file.problem}.`), {
        where: "memory",
      });
    }
  }
  return { contents, unreadable };
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
