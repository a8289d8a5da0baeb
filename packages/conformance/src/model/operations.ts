import fc from "fast-check";

/**
 * A step of a random sequence. Numbers that choose (`target`, `cut`, …) are resolved against the model when the step runs,
 * so that most steps hit files that exist and texts that occur, also after shrinking.
 */
export type Operation =
  | { kind: "write"; target: Target; content: string }
  | { kind: "upload"; target: Target; content: string; binary: boolean }
  | { kind: "edit"; target: Target; cut: Cut; to: string; all: boolean }
  | { kind: "multiEdit"; target: Target; cut: Cut; to: string; all: boolean; second: Cut }
  | { kind: "versioned"; target: Target; content: string; stale: boolean; removes: boolean }
  | { kind: "batch"; targets: readonly Target[]; content: string }
  | { kind: "remove"; target: Target; parent: boolean }
  | {
      kind: "relocate";
      target: Target;
      to: Target;
      move: boolean;
      overwrite: boolean;
      parent: boolean;
    }
  | { kind: "read"; target: Target; offset: number; limit: number }
  | { kind: "list"; target: Target }
  | { kind: "glob"; pattern: number }
  | { kind: "grep"; target: Target; cut: Cut; scoped: boolean };

/** An existing file (by number), or a path made of names. */
export interface Target {
  readonly existing: boolean;
  readonly pick: number;
  readonly names: readonly string[];
}

/** A stretch of the target's text, repeated where `cuts` hits one that is; or a text of its own. */
export interface Cut {
  readonly at: number;
  readonly length: number;
  readonly own: string | undefined;
}

/** Names that break careless code: prefixes of each other, wildcards, escapes, prototypes. */
const NAMES = ["a", "ab", "b.txt", "é", "x y", "%41", "_", "__proto__", ".h", "[z]", "a-", "😀"];

/** Pieces of texts that break careless code. */
const PIECES = [
  "a",
  "aa",
  "b",
  "x",
  "\n",
  "\r\n",
  "$&",
  "$$",
  "$1",
  "é",
  "😀",
  "\ufeff",
  "\t",
  " ",
  "\\",
  "%",
  "'",
  "<",
  "\u2028",
  "0",
];

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 10 }).map((parts) => parts.join(""));
const content = fc.oneof(
  { weight: 20, arbitrary: text },
  {
    weight: 4,
    arbitrary: fc.tuple(text, fc.integer({ min: 2, max: 4 })).map(([unit, n]) => unit.repeat(n)),
  },
  { weight: 1, arbitrary: text.map((part) => `${part}\ud800`) },
);

const target: fc.Arbitrary<Target> = fc.record({
  // Seven of ten on what is there: random paths alone would hardly ever meet.
  existing: fc.integer({ min: 0, max: 9 }).map((n) => n < 7),
  pick: fc.nat(1000),
  names: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
});

const cut: fc.Arbitrary<Cut> = fc.record({
  at: fc.nat(1000),
  length: fc.integer({ min: 1, max: 4 }),
  // One of five is a text of its own, which mostly does not occur.
  own: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: text }),
});

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("write" as const), target, content }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("upload" as const),
      target,
      content,
      binary: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      target,
      cut,
      to: content,
      all: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("multiEdit" as const),
      target,
      cut,
      to: content,
      all: fc.boolean(),
      second: cut,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("versioned" as const),
      target,
      content: text,
      stale: fc.boolean(),
      removes: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("batch" as const),
      targets: fc.array(target, { minLength: 2, maxLength: 6 }),
      content: text,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("remove" as const), target, parent: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("relocate" as const),
      target,
      to: target,
      move: fc.boolean(),
      overwrite: fc.boolean(),
      parent: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("read" as const),
      target,
      offset: fc.nat(6),
      limit: fc.nat(4),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("list" as const), target }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("glob" as const), pattern: fc.nat(100) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("grep" as const), target, cut, scoped: fc.boolean() }),
  },
);

/** A sequence: whether it begins with a few files, and its steps. */
export interface Sequence {
  readonly seeded: boolean;
  readonly steps: readonly Operation[];
}

/** Random sequences of at most `longest` steps. */
export function sequence(longest: number): fc.Arbitrary<Sequence> {
  const steps = fc.array(operation, { minLength: 1, maxLength: longest, size: "max" });
  return fc.record({ seeded: fc.boolean(), steps });
}

/** What a seeded sequence begins with, below its directory. */
export const SEEDED_FILES: Readonly<Record<string, string>> = {
  a: "a b\r\na\n$1\n",
  "x y/b.txt": "one a two",
};
