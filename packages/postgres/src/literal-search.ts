import type { LinePattern } from "@fs/protocol/hooks";
import type { VolumeCall } from "@fs/protocol/author";
import type { FilesTable } from "./files-table.js";
import { likeLiteral } from "./name-patterns.js";
import { hasTrigramIndex } from "./trigram-index.js";

/** A literal search as SQL says it: which files may match, and which of their lines do. */
export interface LiteralSearch {
  inFile(column: string, parameter: string): string;
  readonly fileValue: string;
  inLine(column: string, parameter: string): string;
  readonly lineValue: string;
  /** The same search without the trigram index, where this one uses it. */
  readonly plain?: LiteralSearch;
}

/**
 * How the server finds what the pattern finds here, exactly; `undefined` when it cannot: a regular expression, or a
 * letter beyond ASCII whose case does not count.
 */
export async function literalSearch(
  files: FilesTable,
  pattern: LinePattern,
  call: VolumeCall,
): Promise<LiteralSearch | undefined> {
  if (pattern.regex) return undefined;
  const needle = pattern.ignoreCase ? pattern.source.toLowerCase() : pattern.source;
  // oxlint-disable-next-line no-control-regex
  if (pattern.ignoreCase && !/^[\u0000-\u007f]*$/.test(needle)) return undefined;
  const folds = pattern.ignoreCase ? foldsOf(needle) : undefined;
  const inText = (column: string, parameter: string): string =>
    `strpos(${folds?.(column) ?? column}, ${parameter}) > 0`;
  const indexed = canUseTrigrams(pattern, needle) && (await hasTrigramIndex(files, call));
  const plain = { inFile: inText, fileValue: needle, inLine: inText, lineValue: needle };
  if (!indexed) return plain;
  const operator = pattern.ignoreCase ? "ilike" : "like";
  return {
    ...plain,
    inFile: (column, parameter) => `${column} ${operator} ${parameter}`,
    fileValue: `%${likeLiteral(needle)}%`,
    plain,
  };
}

// `toLowerCase` makes ASCII of two characters that are none: the Kelvin sign, a `k`, and the dotted capital I, an `i` and
// a combining dot. All others stay outside of ASCII, where no needle that comes here can match.
function foldsOf(needle: string): (column: string) => string {
  return (column) => {
    let text = column;
    if (needle.includes("k")) text = `replace(${text}, U&'\\212A', 'k')`;
    if (needle.includes("i")) text = `replace(${text}, U&'\\0130', U&'i\\0307')`;
    return `lower(${text} collate "C")`;
  };
}

/** The index knows trigrams of letters and digits only; without one in the pattern it would be read whole. */
function canUseTrigrams(pattern: LinePattern, needle: string): boolean {
  // `ilike` knows nothing of the two characters that fold into ASCII.
  if (pattern.ignoreCase && /[ik]/.test(needle)) return false;
  return /[A-Za-z0-9]{3}/.test(needle);
}
