"""Patterns of rule G1, segment by segment: what stands between wildcards is a regular expression."""

import re

from memory_backend import Refused


def closing(pattern, at):
    """Where the class that begins at `at` ends, or -1. A bracket right behind its beginning, or escaped, is a member."""
    end = at + 1
    while end < len(pattern):
        if pattern[end] == "\\":
            end += 1
        elif pattern[end] == "]" and end > at + 1:
            return end
        end += 1
    return -1


def alternatives(pattern):
    depth = start = -1
    parts, at = [], 0
    depth = 0
    while at < len(pattern):
        c = pattern[at]
        if c == "\\":
            at += 1
        elif c == "[":
            close = closing(pattern, at)
            at = close if close != -1 else at
        elif c == "{":
            if depth == 0:
                start, parts = at, [at + 1]
            depth += 1
        elif c == "," and depth == 1:
            parts.append(at + 1)
        elif c == "}" and depth:
            depth -= 1
            if depth == 0:
                if len(parts) == 1:  # No comma, so that the braces are characters.
                    return [
                        pattern[:start] + "\\{" + inner + "\\}" + rest
                        for inner in alternatives(pattern[start + 1:at]) for rest in alternatives(pattern[at + 1:])
                    ]
                ends = [p - 1 for p in parts[1:]] + [at]
                found = []
                for a, b in zip(parts, ends):
                    found += alternatives(pattern[:start] + pattern[a:b] + pattern[at + 1:])
                    if len(found) > 256:
                        raise Refused("invalid_pattern", "The pattern has more than 256 alternatives.")
                return found
        at += 1
    if depth:
        raise Refused("invalid_pattern", "The pattern has a '{' that is not closed.")
    return [pattern]


def members(inside):
    """The body of a class: a dash at an end, or escaped, is itself."""
    body, at = "", 0
    while at < len(inside):
        escaped = inside[at] == "\\" and at + 1 < len(inside)
        at += escaped
        ranges = inside[at] == "-" and not escaped and 0 < at < len(inside) - 1
        body += "-" if ranges else re.escape(inside[at])
        at += 1
    return body


class Segment:
    """What one segment of a pattern matches: its parts between wildcards in a row, each as early as it can be. No backtracking."""

    def __init__(self, parts):
        self.parts = [re.compile("".join(part), re.S) for part in parts]
        # Each item of a part is one character.
        self.last = len(parts[-1])

    def fullmatch(self, name):
        first, *others = self.parts
        if not others:
            return first.fullmatch(name) is not None
        found = first.match(name)
        end = len(name) - self.last
        for part in others[:-1]:
            found = found and part.search(name, found.end(), max(end, 0))
        return bool(found) and found.end() <= end and others[-1].fullmatch(name, end) is not None


def segment(pattern):
    parts, at = [[]], 0
    while at < len(pattern):
        c = pattern[at]
        if c == "*":
            parts.append([])
        elif c == "?":
            parts[-1].append("[^/]")
        elif c == "\\" and at + 1 < len(pattern):
            at += 1
            parts[-1].append(re.escape(pattern[at]))
        elif c == "[":
            close = closing(pattern, at)
            if close == -1:
                raise Refused("invalid_pattern", "The pattern has a '[' that is not closed.")
            inside = pattern[at + 1:close]
            negated = inside.startswith(("!", "^"))
            body = members(inside[1:] if negated else inside)
            parts[-1].append(f"[{'^/' if negated else ''}{body}]")
            at = close
        else:
            parts[-1].append(re.escape(c))
        at += 1
    return Segment(parts)


def units(text):
    """The length of a text in UTF-16 code units, which the limits of patterns count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def matcher(pattern):
    if not isinstance(pattern, str) or pattern == "" or units(pattern) > 1024 or pattern.endswith("/"):
        raise Refused("invalid_pattern", "That is no valid pattern.")
    if ".." in pattern.split("/"):
        raise Refused("invalid_pattern", "'..' leads out of the path.")
    written = alternatives(pattern)
    if sum(map(units, written)) > 8192:
        raise Refused("invalid_pattern", "The alternatives have more than 8192 characters together.")
    compiled = [[s if s == "**" else segment(s) for s in one.strip("/").split("/") if s != "."] for one in written]
    return lambda path: any(fits(one, path.split("/")) for one in compiled)


def fits(patterns, names):
    """Goes through the names once per pattern: no backtracking."""
    states = {0}
    def closed(found):
        found = set(found)
        for n in sorted(found):
            while n < len(patterns) - 1 and patterns[n] == "**":
                n += 1
                found.add(n)
        return found
    states = closed(states)
    for name in names:
        following = set()
        for n in states:
            if n == len(patterns):
                continue
            if patterns[n] == "**":
                following |= {n, n + 1} if n == len(patterns) - 1 else {n}
            elif patterns[n].fullmatch(name):
                following.add(n + 1)
        states = closed(following)
    return len(patterns) in states
