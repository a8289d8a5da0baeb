/**
 * The rules of texts once more, written from `docs/semantics.md` and not from the product, so that a mistake in one shows in
 * the other. Slow and plain on purpose.
 */

/** One edit of a text. */
export interface TextEdit {
  readonly old: string;
  readonly new: string;
  readonly replaceAll: boolean;
}

/** What an edit does to a text: the new text and its count, or the code of the refusal. */
export type EditVerdict =
  | { text: string; occurrences: number }
  | { code: "no_match" | "not_unique" | "invalid_argument" };

/** E8: what a list of edits makes of a text, or why it is refused. */
export function editedByAll(text: string, edits: readonly TextEdit[]): EditVerdict {
  let now = text;
  let occurrences = 0;
  for (const { old, new: to, replaceAll } of edits) {
    const verdict = editedText(now, old, to, replaceAll);
    if ("code" in verdict) return verdict;
    now = verdict.text;
    occurrences += verdict.occurrences;
  }
  return { text: now, occurrences };
}

/** E1 to E4 and E9. */
export function editedText(text: string, old: string, to: string, all: boolean): EditVerdict {
  if (old === "") return text === "" ? { text: to, occurrences: 1 } : { code: "invalid_argument" };
  const exact = occurrencesOf(text, old);
  if (exact.length > 0)
    return replaced(
      text,
      exact.map((start) => [start, start + old.length]),
      to,
      all,
      false,
    );
  if (!old.includes("\n") || !text.includes("\r\n")) return { code: "no_match" };
  const matches = foldedMatches(text, old);
  if (matches.length === 0) return { code: "no_match" };
  return replaced(text, matches, to, all, true);
}

function replaced(
  text: string,
  stretches: ReadonlyArray<readonly [number, number]>,
  to: string,
  all: boolean,
  keepLineEnds: boolean,
): EditVerdict {
  if (stretches.length > 1 && !all) return { code: "not_unique" };
  let result = "";
  let from = 0;
  for (const [start, end] of stretches) {
    result += text.slice(from, start);
    result += keepLineEnds ? inLineEndsOf(text.slice(start, end), to) : to;
    from = end;
  }
  return { text: result + text.slice(from), occurrences: stretches.length };
}

function inLineEndsOf(replacedText: string, to: string): string {
  const folded = to.split("\r\n").join("\n");
  return replacedText.includes("\r\n") ? folded.split("\n").join("\r\n") : folded;
}

function occurrencesOf(text: string, needle: string): number[] {
  const found: number[] = [];
  let from = 0;
  while (text.indexOf(needle, from) !== -1) {
    const at = text.indexOf(needle, from);
    found.push(at);
    from = at + needle.length;
  }
  return found;
}

/** The characters of a text, of which a line end of two counts as one. */
function charactersOf(text: string): string[] {
  return text.match(/\r\n|[^]/g) ?? [];
}

/** E4: whether two characters are the same, as all line ends are. */
function isSame(one = "", other = ""): boolean {
  return one === other || (one.endsWith("\n") && other.endsWith("\n"));
}

/** E4: where a text occurs if both kinds of line end count as one character. */
function foldedMatches(text: string, old: string): Array<[start: number, end: number]> {
  const [where, wanted] = [charactersOf(text), charactersOf(old)];
  const found: Array<[number, number]> = [];
  let start = 0;
  for (let at = 0; at + wanted.length <= where.length;) {
    const matches = wanted.every((character, n) => isSame(character, where[at + n]));
    const taken = where.slice(at, at + (matches ? wanted.length : 1)).join("").length;
    if (matches) found.push([start, start + taken]);
    start += taken;
    at += matches ? wanted.length : 1;
  }
  return found;
}

/** R2: the lines of a text, terminators included. */
export function linesOf(text: string): string[] {
  const parts = text.split("\n");
  const last = parts.pop() ?? "";
  return [...parts.map((part) => `${part}\n`), ...(last === "" ? [] : [last])];
}

/** S1 and S2: the numbers and texts of the lines that hold a needle. */
export function matchesOf(text: string, needle: string): Array<[line: number, text: string]> {
  const found: Array<[number, string]> = [];
  for (const [index, line] of linesOf(text).entries()) {
    // One `\r` belongs to the end of the line; another before it is text.
    const bare = line.replace(/\n$/, "").replace(/\r$/, "");
    if (bare.includes(needle)) found.push([index + 1, bare]);
  }
  return found;
}

/** R7, for names without a media extension: text is valid UTF-8 without NUL. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  const text = Buffer.from(bytes).toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

/** L3: by UTF-16 code unit. */
export function sortedPaths(paths: Iterable<string>): string[] {
  return [...paths].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
