import { failure, quote } from "../errors/messages.js";
import type { Failure } from "../types/outcome.js";
import { isWithin, prefixOf, segmentsOf } from "../paths/segments.js";
import { expandBraces } from "./brace-expansion.js";
import { compileSegment, loosen, type SegmentMatcher } from "./segment.js";
import {
  GLOBSTAR,
  literalHead,
  looseNames,
  matchSteps,
  mayContinue,
  residuals,
  type Step,
} from "./steps.js";

/** Characters a pattern may have. */
const MAX_PATTERN_LENGTH = 1024;

/** Characters that all alternatives of a pattern may have together: matching a name takes time in proportion to them. */
const MAX_EXPANDED_LENGTH = 8192;

/** A compiled pattern over canonical absolute paths. The one matcher of glob, grep's filter and permission rules. */
export interface PathGlob {
  readonly source: string;
  /** The directory that every match lies in or below: the base and the literal segments that follow. */
  readonly root: string;
  /** What the text of every match starts with, whole characters, at least the base. For range scans and key prefixes. */
  readonly prefix: string;
  /** Segments below `root` that a match has at most; `Infinity` with `**`. */
  readonly depth: number;
  /**
   * Patterns of which every matching name fits at least one, made of literal text and `*` only: for storages that can
   * filter by name. `undefined` when a name may be anything.
   */
  readonly names: readonly string[] | undefined;
  /** Returns whether a canonical path matches. */
  matches(path: string): boolean;
  /**
   * The patterns that files below a directory must match relative to it, one or another, for the whole to match. None
   * when nothing below it can.
   */
  below(directory: string): string[];
  /** Returns whether anything below a directory might match: `false` lets a walk leave it out. */
  mayMatchBelow(directory: string): boolean;
}

export type CompiledGlob = { glob: PathGlob; failure?: undefined } | { failure: Failure };

/**
 * Compiles the pattern of `glob`: relative to `base`, or absolute with a leading `/` and then still limited to `base`.
 *
 * `*` `?` `[…]` stay within a segment, `**` as a whole segment spans any number of them, `{a,b}` are alternatives, `\`
 * makes the next character literal, dotfiles are ordinary.
 *
 * @returns The glob, or a failure with `invalid_pattern`: `..`, an unclosed bracket, too long, too many alternatives.
 */
export function compileGlob(pattern: unknown, base = "/"): CompiledGlob {
  if (typeof pattern !== "string" || pattern === "")
    return refuse(pattern, "it must be a text that is not empty");
  if (pattern.length > MAX_PATTERN_LENGTH)
    return refuse(pattern, `it is longer than ${MAX_PATTERN_LENGTH} characters`);
  // oxlint-disable-next-line no-control-regex
  if (!pattern.isWellFormed() || /[\u0000-\u001f\u007f]/.test(pattern)) {
    return refuse(pattern, "it holds a control character or half of a surrogate pair");
  }
  const expanded = expandBraces(pattern);
  if (expanded.problem !== undefined) return refuse(pattern, expanded.problem);
  const written = expanded.alternatives.reduce((sum, { length }) => sum + length, 0);
  if (written > MAX_EXPANDED_LENGTH)
    return refuse(
      pattern,
      `its alternatives have more than ${MAX_EXPANDED_LENGTH} characters together`,
    );
  const alternatives: Step[][] = [];
  for (const alternative of expanded.alternatives) {
    const compiled = compileAlternative(alternative, base);
    if (compiled.problem !== undefined) return refuse(pattern, compiled.problem);
    alternatives.push(compiled.steps);
  }
  return { glob: build(pattern, base, alternatives) };
}

/**
 * Compiles the file filter of `grep`: without `/` it matches the name at any depth, with `/` it is relative to `base`,
 * with a leading `/` absolute.
 */
export function compileFilter(pattern: unknown, base = "/"): CompiledGlob {
  const anywhere = typeof pattern === "string" && pattern !== "" && !pattern.includes("/");
  return compileGlob(anywhere ? `**/${pattern}` : pattern, base);
}

function refuse(pattern: unknown, why: string): { failure: Failure } {
  return {
    failure: failure(
      "invalid_pattern",
      pattern,
      `${quote(pattern)} is not a valid pattern: ${why}.`,
    ),
  };
}

function compileAlternative(
  pattern: string,
  base: string,
): { steps: Step[]; problem?: undefined } | { problem: string } {
  if (pattern.endsWith("/"))
    return { problem: "it names a directory, but only files match; end it with '/**'" };
  const steps: Step[] = pattern.startsWith("/") ? [] : segmentsOf(base).map(literalSegment);
  for (const source of pattern.split("/")) {
    if (source === "" || source === ".") continue;
    if (source === "..") return { problem: "'..' is not allowed" };
    if (source === "**") {
      if (steps.at(-1) !== GLOBSTAR) steps.push(GLOBSTAR);
      continue;
    }
    const compiled = compileSegment(source);
    if (compiled.problem !== undefined) return compiled;
    if (compiled.segment.literal === "..") return { problem: "'..' is not allowed" };
    steps.push(compiled.segment);
  }
  return { steps };
}

function literalSegment(name: string): SegmentMatcher {
  return {
    source: name,
    literal: name,
    loose: loosen(name),
    prefix: name,
    matches: (other) => other === name,
  };
}

function build(source: string, base: string, alternatives: readonly Step[][]): PathGlob {
  const root = commonRoot(base, alternatives);
  const rootDepth = segmentsOf(root).length;
  const prefix = commonPrefix(root, alternatives);
  const depth = Math.max(
    ...alternatives.map((steps) =>
      steps.includes(GLOBSTAR) ? Infinity : steps.length - rootDepth,
    ),
  );
  return {
    source,
    root,
    prefix,
    depth,
    names: looseNames(alternatives),
    matches: (path) => {
      if (!path.startsWith(prefix) || !isWithin(path, base)) return false;
      const segments = segmentsOf(path);
      return alternatives.some((steps) => matchSteps(steps, segments));
    },
    below: (directory) => {
      const segments = segmentsOf(directory);
      return [...new Set(alternatives.flatMap((steps) => residuals(steps, segments)))];
    },
    mayMatchBelow: (directory) => {
      const segments = segmentsOf(directory);
      return alternatives.some((steps) => mayContinue(steps, segments));
    },
  };
}

function commonRoot(base: string, alternatives: readonly Step[][]): string {
  const heads = alternatives.map(literalHead);
  const first = heads[0] ?? [];
  let shared = 0;
  while (shared < first.length && heads.every((head) => head[shared] === first[shared])) shared++;
  const root = `/${first.slice(0, shared).join("/")}`;
  // An absolute pattern may point above or beside its base; the walk never leaves the base.
  return isWithin(root, base) ? root : base;
}

function commonPrefix(root: string, alternatives: readonly Step[][]): string {
  const names = segmentsOf(root);
  const prefixes = alternatives.map((steps) => {
    const next = steps[names.length];
    // Steps line up with the names of the root only while they are literal.
    const aligned = names.every((name, i) => {
      const step = steps[i];
      return step !== undefined && step !== GLOBSTAR && step.literal === name;
    });
    return !aligned || next === undefined || next === GLOBSTAR ? "" : next.prefix;
  });
  let shared = prefixes[0] ?? "";
  for (const prefix of prefixes) {
    while (!prefix.startsWith(shared)) shared = shared.slice(0, -1);
  }
  // Two characters may share their first half. A storage that gets half a character looks for another one.
  const whole = shared.isWellFormed() ? shared : shared.slice(0, -1);
  return `${prefixOf(root)}${whole}`;
}
