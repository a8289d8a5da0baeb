import type { SegmentMatcher } from "./segment.js";

/** The `**` that spans any number of segments. */
export const GLOBSTAR = Symbol("**");

/** What one segment of a pattern asks of a path. */
export type Step = SegmentMatcher | typeof GLOBSTAR;

/** Whether a path's segments match a whole pattern. In time proportional to the product of both, whatever the pattern. */
export function matchSteps(steps: readonly Step[], segments: readonly string[]): boolean {
  let s = 0;
  let n = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (n < segments.length) {
    const step = steps[s];
    if (step === GLOBSTAR) {
      // A closing `**` needs at least one name: `src/**` is what lies below `src`, not `src`.
      starAt = s++;
      resumeAt = n;
      if (s === steps.length) return true;
    } else if (step?.matches(segments[n] ?? "") === true) {
      s++;
      n++;
    } else if (starAt !== -1) {
      s = starAt + 1;
      n = ++resumeAt;
    } else return false;
  }
  return s === steps.length;
}

/** What is left of a pattern once a directory has been walked, for every way of walking it. */
export function residuals(steps: readonly Step[], directory: readonly string[]): string[] {
  let positions = new Set([0]);
  for (const name of directory) {
    const next = new Set<number>();
    for (const position of withGlobstarsSkipped(steps, positions)) {
      const step = steps[position];
      if (step === GLOBSTAR) next.add(position);
      else if (step?.matches(name) === true) next.add(position + 1);
    }
    positions = next;
  }
  return [...positions]
    .filter((position) => position < steps.length)
    .map((position) => steps.slice(position).map(sourceOf).join("/"));
}

function withGlobstarsSkipped(steps: readonly Step[], positions: ReadonlySet<number>): Set<number> {
  const all = new Set<number>();
  for (const position of positions) {
    all.add(position);
    if (steps[position] === GLOBSTAR && position + 1 < steps.length) all.add(position + 1);
  }
  return all;
}

function sourceOf(step: Step): string {
  return step === GLOBSTAR ? "**" : step.source;
}

/** Whether something below a directory may match. */
export function mayContinue(steps: readonly Step[], directory: readonly string[]): boolean {
  for (const [index, name] of directory.entries()) {
    const step = steps[index];
    if (step === undefined) return false;
    if (step === GLOBSTAR) return true;
    if (!step.matches(name)) return false;
  }
  return steps.length > directory.length;
}

/** What the name of every match fits; `undefined` when it may be any name. */
export function looseNames(alternatives: readonly Step[][]): string[] | undefined {
  const names = new Set<string>();
  for (const steps of alternatives) {
    const last = steps.at(-1);
    if (last === undefined || last === GLOBSTAR || last.loose === "*") return undefined;
    names.add(last.loose);
  }
  return [...names];
}

/** The literal segments that a pattern begins with. */
export function literalHead(steps: readonly Step[]): string[] {
  const head: string[] = [];
  // The last step names the file itself, so it is never part of a directory.
  for (const step of steps.slice(0, -1)) {
    if (step === GLOBSTAR || step.literal === undefined) break;
    head.push(step.literal);
  }
  return head;
}
