/**
 * G1 once more, by trying: whether a path matches a pattern of `*`, `?`, classes, braces, escapes and `**`. Exponential at
 * worst, and plain enough to be believed.
 */
export function globMatches(pattern: string, path: string): boolean {
  return alternativesOf(pattern).some((one) => segmentsMatch(one.split("/"), path.split("/")));
}

/** A pattern without braces for each way to choose. Braces within braces are expanded from the outermost. */
function alternativesOf(pattern: string): string[] {
  const open = unescaped(pattern, "{", 0);
  if (open === -1) return [pattern];
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) {
      parts.push(pattern.slice(from, at));
      const [head, tail] = [pattern.slice(0, open), pattern.slice(at + 1)];
      return parts.flatMap((part) => alternativesOf(head + part + tail));
    } else if (character === "," && depth === 1) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    }
  }
  return [pattern];
}

function unescaped(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

function segmentsMatch(patterns: readonly string[], segments: readonly string[]): boolean {
  const [first, ...rest] = patterns;
  if (first === undefined) return segments.length === 0;
  if (first === "**") {
    // At the end it stands for files: one segment at least.
    if (rest.length === 0) return segments.length > 0;
    return segments.some((_, n) => segmentsMatch(rest, segments.slice(n)));
  }
  const [segment, ...others] = segments;
  return (
    segment !== undefined &&
    segmentMatches(Array.from(first), Array.from(segment)) &&
    segmentsMatch(rest, others)
  );
}

function segmentMatches(pattern: readonly string[], text: readonly string[]): boolean {
  const [token, ...rest] = pattern;
  if (token === undefined) return text.length === 0;
  if (token === "*")
    return (
      segmentMatches(rest, text) || (text.length > 0 && segmentMatches(pattern, text.slice(1)))
    );
  const [character, ...others] = text;
  if (character === undefined) return false;
  if (token === "?") return segmentMatches(rest, others);
  if (token === "\\") return rest[0] === character && segmentMatches(rest.slice(1), others);
  if (token === "[") {
    const { negated, members, after } = classOf(rest);
    return inClass(members, character) !== negated && segmentMatches(after, others);
  }
  return token === character && segmentMatches(rest, others);
}

/** A member of a class: what is escaped is itself, and no dash between two others. */
interface Member {
  readonly character: string;
  readonly escaped: boolean;
}

/** What a class holds, and what comes after it. A bracket that comes first is a member. */
function classOf(rest: readonly string[]): {
  negated: boolean;
  members: Member[];
  after: readonly string[];
} {
  const negated = rest[0] === "!";
  const members: Member[] = [];
  for (let at = negated ? 1 : 0; at < rest.length; at++) {
    const escaped = rest[at] === "\\";
    if (escaped) at++;
    const character = rest[at] ?? "";
    // The first of all, so that one behind an exclamation mark closes the class.
    if (character === "]" && !escaped && at > 0)
      return { negated, members, after: rest.slice(at + 1) };
    members.push({ character, escaped });
  }
  return { negated, members, after: [] };
}

function inClass(members: readonly Member[], character: string): boolean {
  let found = false;
  for (let at = 0; at < members.length; at++) {
    const low = members[at]?.character ?? "";
    const dash = members[at + 1];
    const high = dash?.character === "-" && !dash.escaped ? members[at + 2]?.character : undefined;
    if (high === undefined) found ||= low === character;
    else {
      found ||= low <= character && character <= high;
      at += 2;
    }
  }
  return found;
}
