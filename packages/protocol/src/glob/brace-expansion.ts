/** Alternatives that one pattern may expand to. More is refused, never cut. */
const MAX_ALTERNATIVES = 256;

/**
 * Expands `{a,b}` groups, nested ones too, into plain patterns. A group without a comma is literal text. `\` escapes the
 * next character, and brackets `[…]` hide what is in them.
 *
 * @returns The alternatives, or a sentence that says why there are none.
 */
export function expandBraces(
  pattern: string,
): { alternatives: string[]; problem?: undefined } | { problem: string } {
  const group = firstGroup(pattern);
  if (group === undefined) return { alternatives: [pattern] };
  if (group === "unclosed") return { problem: "a '{' is not closed" };
  const tails = expandBraces(pattern.slice(group.end + 1));
  if (tails.problem !== undefined) return tails;
  const head = pattern.slice(0, group.start);
  const options: string[] = [];
  for (const part of group.parts) {
    const inner = expandBraces(part);
    if (inner.problem !== undefined) return inner;
    options.push(...inner.alternatives);
    if (options.length > MAX_ALTERNATIVES) return { problem: TOO_MANY };
  }
  if (options.length * tails.alternatives.length > MAX_ALTERNATIVES) return { problem: TOO_MANY };
  const open = group.parts.length === 1 ? "\\{" : "";
  const close = group.parts.length === 1 ? "\\}" : "";
  return {
    alternatives: options.flatMap((option) =>
      tails.alternatives.map((tail) => head + open + option + close + tail),
    ),
  };
}

const TOO_MANY = `its braces expand to more than ${MAX_ALTERNATIVES} patterns`;

interface Group {
  start: number;
  end: number;
  parts: string[];
}

function firstGroup(pattern: string): Group | "unclosed" | undefined {
  let depth = 0;
  let start = -1;
  let partStart = 0;
  const parts: string[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "[") at = endOfClass(pattern, at) ?? at;
    else if (character === "{") {
      if (depth++ === 0) {
        start = at;
        partStart = at + 1;
      }
    } else if (character === "," && depth === 1) {
      parts.push(pattern.slice(partStart, at));
      partStart = at + 1;
    } else if (character === "}" && depth > 0 && --depth === 0) {
      parts.push(pattern.slice(partStart, at));
      return { start, end: at, parts };
    }
  }
  return depth > 0 ? "unclosed" : undefined;
}

/** The index of the `]` that closes the class opened at `open`, or `undefined`. A `]` that comes first is a member. */
export function endOfClass(pattern: string, open: number): number | undefined {
  let at = open + 1;
  if (pattern[at] === "!" || pattern[at] === "^") at++;
  if (pattern[at] === "]") at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at;
    else if (pattern[at] === "/") return undefined;
  }
  return undefined;
}
