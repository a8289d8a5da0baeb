/** What a call of the matrix meets at its path: a column of the matrix. */
export interface Situation {
  readonly id: string;
  /** Rules that the column checks, beside those of the method. */
  readonly rules: readonly [string, ...string[]];
  /** The path as it is passed. */
  readonly path: string;
  /** The same path in canonical form, where it differs. */
  readonly canonical?: string;
  readonly given: Readonly<Record<string, string | Uint8Array>>;
  readonly needs?: readonly string[];
  /** Needs of methods that store at the path. */
  readonly needsToStore?: readonly string[];
  /** True where only methods on files refuse: a trailing slash. */
  readonly trailingSlash?: boolean;
  /** True where it is the name that matters: methods that create meet it also where nothing has that name yet. */
  readonly named?: boolean;
  readonly why: string;
}

/** Files beside the subject, whose names begin like it: nothing may happen to them. */
export const NEIGHBOURS = {
  "/d/a.txt.bak": "neighbour one\n",
  "/d/a": "neighbour two\n",
  "/da.txt": "neighbour three\n",
};

export function holding(
  id: string,
  rules: readonly [string, ...string[]],
  content: string | Uint8Array,
  why: string,
  path = "/d/a.txt",
): Situation {
  const needs = typeof content === "string" ? {} : { needs: ["transfer", "content=bytes"] };
  const named = path === "/d/a.txt" ? {} : { named: true };
  return { id, rules, path, given: { [path]: content, ...NEIGHBOURS }, why, ...needs, ...named };
}

/** Nothing has the name of the path, but others have names that careless code takes for it. */
export function resembled(
  id: string,
  path: string,
  others: readonly string[],
  why: string,
  needs: readonly string[] = [],
): Situation {
  const given = Object.fromEntries(others.map((other, n) => [other, `one\nother ${n}\n`]));
  return { id, rules: ["P4", "P3"], path, given, why, needs };
}

/** A path of exactly `bytes` bytes, of segments of at most 255. */
export function pathOfBytes(bytes: number): string {
  let path = "";
  while (bytes - path.length > 256)
    path += `/${"p".repeat(Math.min(255, bytes - path.length - 3))}`;
  return `${path}/${"f".repeat(bytes - path.length - 1)}`;
}
