import { failure, quote } from "../errors/messages.js";
import type { Failure } from "../types/outcome.js";
import type { GrepOptions } from "../types/options.js";

/** What a search looks for in each line. */
export interface LinePattern {
  /** The pattern as its caller wrote it. */
  readonly source: string;
  /** True for a regular expression in RE2 syntax, false for literal text. */
  readonly regex: boolean;
  /** Lines and literal are compared after `toLowerCase()`. */
  readonly ignoreCase: boolean;
  /** Returns whether a line, without its terminator, matches. */
  matches(line: string): boolean;
}

/** Characters that a regular expression may have: compiling and matching take time in proportion to them. */
const MAX_REGEX_LENGTH = 4096;

/** A matching line of one text. */
export interface LineHit {
  /** 1-based. */
  line: number;
  /** Without its terminator, `\n` or `\r\n`. */
  text: string;
}

/**
 * Compiles what `grep` was given.
 *
 * @returns The pattern, or a failure: `invalid_argument` for an empty pattern or one that spans lines,
 * `invalid_pattern` for a bad regular expression, `unsupported` when `re2js` is not installed.
 */
export async function compileLinePattern(
  pattern: unknown,
  options: Pick<GrepOptions, "regex" | "ignoreCase">,
): Promise<{ pattern: LinePattern; failure?: undefined } | { failure: Failure }> {
  if (typeof pattern !== "string" || pattern === "") {
    return refuse("the pattern must be a text that is not empty");
  }
  if (/[\r\n]/.test(pattern))
    return refuse("a pattern must not span lines; search for one line of it");
  if (!pattern.isWellFormed()) return refuse("the pattern holds half of a surrogate pair");
  if (options.regex === true && pattern.length > MAX_REGEX_LENGTH)
    return refuse(`a regular expression may have ${MAX_REGEX_LENGTH} characters`);
  const ignoreCase = options.ignoreCase ?? false;
  if (options.regex === true) return compileRegex(pattern, ignoreCase);
  const needle = ignoreCase ? pattern.toLowerCase() : pattern;
  const matches = ignoreCase
    ? (line: string) => line.toLowerCase().includes(needle)
    : (line: string) => line.includes(needle);
  return { pattern: { source: pattern, regex: false, ignoreCase, matches } };

  function refuse(why: string): { failure: Failure } {
    return {
      failure: failure("invalid_argument", pattern, `Cannot search for ${quote(pattern)}: ${why}.`),
    };
  }
}

async function compileRegex(
  source: string,
  ignoreCase: boolean,
): Promise<{ pattern: LinePattern } | { failure: Failure }> {
  const engine = await import("re2js").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      return undefined;
    throw error;
  });
  if (engine === undefined) {
    return {
      failure: failure(
        "unsupported",
        source,
        "Searching by regular expression needs the optional package 're2js'. Install it, or search for literal text.",
      ),
    };
  }
  try {
    const { RE2JS } = engine;
    const compiled = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return {
      pattern: {
        source,
        regex: true,
        ignoreCase,
        matches: (line) => compiled.matcher(line).find(),
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n", 1)[0] : "bad syntax";
    return {
      failure: failure(
        "invalid_pattern",
        source,
        `${quote(source)} is not a valid RE2 expression: ${why}.`,
      ),
    };
  }
}

/**
 * The matching lines of a text, in order, at most `limit`.
 *
 * A literal jumps from hit to hit with `indexOf`, so that a file without one costs a single scan.
 */
export function searchLines(text: string, pattern: LinePattern, limit = Infinity): LineHit[] {
  return pattern.regex || pattern.ignoreCase
    ? scanEveryLine(text, pattern, limit)
    : jumpToLiteral(text, pattern.source, limit);
}

function jumpToLiteral(text: string, needle: string, limit: number): LineHit[] {
  const hits: LineHit[] = [];
  let line = 1;
  let counted = 0;
  let at = text.indexOf(needle);
  while (at !== -1 && hits.length < limit) {
    for (
      let nl = text.indexOf("\n", counted);
      nl !== -1 && nl < at;
      nl = text.indexOf("\n", counted)
    ) {
      line++;
      counted = nl + 1;
    }
    const end = text.indexOf("\n", at);
    hits.push({
      line,
      text: withoutCarriageReturn(text.slice(counted, end === -1 ? text.length : end)),
    });
    if (end === -1) break;
    at = text.indexOf(needle, end + 1);
  }
  return hits;
}

function scanEveryLine(text: string, pattern: LinePattern, limit: number): LineHit[] {
  const hits: LineHit[] = [];
  let from = 0;
  for (let line = 1; from < text.length && hits.length < limit; line++) {
    const newline = text.indexOf("\n", from);
    const end = newline === -1 ? text.length : newline;
    const content = withoutCarriageReturn(text.slice(from, end));
    if (pattern.matches(content)) hits.push({ line, text: content });
    from = end + 1;
  }
  return hits;
}

/** Drops the `\r` of a `\r\n` terminator. The `\n` is gone already. */
export function withoutCarriageReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
