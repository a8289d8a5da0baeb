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
    matchesFrom(Array.from(first), 0, Array.from(segment), 0) &&
    segmentsMatch(rest, others)
  );
}

/** Whether what is left of a pattern from a place on matches what is left of a name. Places, as copies took most of the time. */
function matchesFrom(
  pattern: readonly string[],
  at: number,
  name: readonly string[],
  from: number,
): boolean {
  const token = pattern[at];
  const character = name[from];
  if (token === undefined) return character === undefined;
  if (token === "*")
    return (
      matchesFrom(pattern, at + 1, name, from) ||
      (character !== undefined && matchesFrom(pattern, at, name, from + 1))
    );
  if (character === undefined) return false;
  if (token === "?") return matchesFrom(pattern, at + 1, name, from + 1);
  if (token === "\\")
    return pattern[at + 1] === character && matchesFrom(pattern, at + 2, name, from + 1);
  if (token === "[") {
    const { negated, members, after } = classAt(pattern, at + 1);
    return inClass(members, character) !== negated && matchesFrom(pattern, after, name, from + 1);
  }
  return token === character && matchesFrom(pattern, at + 1, name, from + 1);
}

/** A member of a class: what is escaped is itself, and no dash between two others. */
interface Member {
  readonly character: string;
  readonly escaped: boolean;
}

/** What a class holds that begins at a place, and where what comes after it begins. A bracket that comes first is a member. */
function classAt(
  pattern: readonly string[],
  begin: number,
): { negated: boolean; members: Member[]; after: number } {
  const negated = pattern[begin] === "!";
  const members: Member[] = [];
  for (let at = negated ? begin + 1 : begin; at < pattern.length; at++) {
    const escaped = pattern[at] === "\\";
    if (escaped) at++;
    const character = pattern[at] ?? "";
    // The first of all, so that one behind an exclamation mark closes the class.
    if (character === "]" && !escaped && at > begin) return { negated, members, after: at + 1 };
    members.push({ character, escaped });
  }
  return { negated, members, after: pattern.length };
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
