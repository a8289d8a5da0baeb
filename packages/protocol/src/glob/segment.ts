import { endOfClass } from "./brace-expansion.js";

/** Matches one name between slashes. */
export interface SegmentMatcher {
  /** As written in the pattern. */
  readonly source: string;
  /** The name itself, when the segment has no wildcard. */
  readonly literal?: string;
  /** A pattern of literal text and `*` that matches at least as much. */
  readonly loose: string;
  /** The literal text before the first wildcard. */
  readonly prefix: string;
  matches(name: string): boolean;
}

/** One step of a segment: a literal code point, `?`, a class, or `*`. */
type Token =
  | { kind: "literal"; character: string }
  | { kind: "any" }
  | { kind: "class"; negated: boolean; ranges: ReadonlyArray<readonly [number, number]> }
  | { kind: "star" };

/**
 * Compiles one segment of a brace-free pattern. Matching takes time in the product of the two lengths at worst: it goes
 * back to the last `*` only, never further.
 *
 * @returns The matcher, or a sentence that says what is wrong with the segment.
 */
export function compileSegment(
  source: string,
): { segment: SegmentMatcher; problem?: undefined } | { problem: string } {
  const tokens = tokenize(source);
  if (typeof tokens === "string") return { problem: tokens };
  const prefix = literalRun(tokens);
  if (prefix.length === tokens.length) {
    const literal = prefix.join("");
    return {
      segment: {
        source,
        literal,
        loose: loosen(literal),
        prefix: literal,
        matches: (name) => name === literal,
      },
    };
  }
  if (tokens.length === 1 && tokens[0]?.kind === "star") {
    return { segment: { source, loose: "*", prefix: "", matches: () => true } };
  }
  const loose = tokens
    .map((token) => (token.kind === "literal" ? loosen(token.character) : "*"))
    .join("")
    .replace(/\*+/g, "*");
  const suffix = tokens[0]?.kind === "star" ? literalRun(tokens.slice(1)) : [];
  if (suffix.length > 0 && suffix.length === tokens.length - 1) {
    const ending = suffix.join("");
    return { segment: { source, loose, prefix: "", matches: (name) => name.endsWith(ending) } };
  }
  return {
    segment: {
      source,
      loose,
      prefix: prefix.join(""),
      matches: (name) => matchTokens(tokens, Array.from(name)),
    },
  };
}

/** Literal text as a loose pattern: what another matcher might read as more than itself becomes `*`. */
export function loosen(text: string): string {
  return text.replace(/[*?[\]\\{}!^]/g, "*");
}

function literalRun(tokens: readonly Token[]): string[] {
  const run: string[] = [];
  for (const token of tokens) {
    if (token.kind !== "literal") break;
    run.push(token.character);
  }
  return run;
}

function tokenize(source: string): Token[] | string {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length; at++) {
    const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (character === "?") tokens.push({ kind: "any" });
    else if (character === "[") {
      const end = endOfClass(source, at);
      if (end === undefined) return "a '[' is not closed";
      tokens.push(classToken(source.slice(at + 1, end)));
      at = end;
    } else if (character === "\\" && at + 1 < source.length) {
      const escaped = String.fromCodePoint(source.codePointAt(at + 1) ?? 0);
      tokens.push({ kind: "literal", character: escaped });
      at += escaped.length;
    } else {
      tokens.push({ kind: "literal", character });
      at += character.length - 1;
    }
  }
  return tokens;
}

function classToken(body: string): Token {
  const negated = body.startsWith("!") || body.startsWith("^");
  const members = unescapedMembers(negated ? body.slice(1) : body);
  const ranges: Array<readonly [number, number]> = [];
  for (let i = 0; i < members.length; i++) {
    const from = members[i];
    if (from === undefined) continue;
    const to = members[i + 2];
    if (members[i + 1]?.range === true && to !== undefined) {
      ranges.push([from.point, to.point]);
      i += 2;
    } else ranges.push([from.point, from.point]);
  }
  return { kind: "class", negated, ranges };
}

/** The members of a class; `range` marks a `-` that was not escaped. */
function unescapedMembers(body: string): Array<{ point: number; range: boolean }> {
  const members: Array<{ point: number; range: boolean }> = [];
  const characters = Array.from(body);
  for (let i = 0; i < characters.length; i++) {
    const escaped = characters[i] === "\\" && i + 1 < characters.length;
    if (escaped) i++;
    const character = characters[i] ?? "";
    members.push({ point: character.codePointAt(0) ?? 0, range: character === "-" && !escaped });
  }
  return members;
}

function matchTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let t = 0;
  let n = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (n < name.length) {
    const token = tokens[t];
    if (token?.kind === "star") {
      starAt = t++;
      resumeAt = n;
    } else if (token !== undefined && matchesOne(token, name[n] ?? "")) {
      t++;
      n++;
    } else if (starAt !== -1) {
      t = starAt + 1;
      n = ++resumeAt;
    } else return false;
  }
  while (tokens[t]?.kind === "star") t++;
  return t === tokens.length;
}

function matchesOne(token: Token, character: string): boolean {
  switch (token.kind) {
    case "any":
      return true;
    case "literal":
      return token.character === character;
    case "class": {
      const point = character.codePointAt(0) ?? 0;
      return token.ranges.some(([from, to]) => from <= point && point <= to) !== token.negated;
    }
    case "star":
      return false;
  }
}
