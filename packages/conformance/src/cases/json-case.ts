import type { Level, Need, Tier } from "./case.js";

/**
 * A value in a case file. Plain JSON, or an object with one key that starts with `$`:
 * `{"$bytes": [0, 255]}`, `{"$base64": "…"}`, `{"$repeat": ["ab", 100]}`, `{"$lines": [1, 600]}` (the text `line 1\n` …),
 * `{"$nan": true}`, `{"$undefined": true}`, `{"$concat": [...]}`, `{"$utf16": [55296]}` (a text of these code units, also
 * halves of pairs), `{"$ref": "name"}` (what an earlier step captured).
 */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/**
 * What a call must answer.
 *
 * `error`: it fails, with this code or one of these (`true`: any). Without `error` it succeeds. `mentions`: texts, and paths, that the
 * error sentence holds. `paths`: the paths of the listing, in order. `lines`: the matches as `[path, line, text]`.
 * `each`: one expectation per item of a batch. Any other field: that field of the result, where an expected value may
 * also be `{"$includes": text}`, `{"$absent": true}`, `{"$optional": value}` (absent or this), `{"$iso": true}` or
 * `{"$any": true}`, `{"$not": value}`, or `{"$capture": "name"}`, which keeps the field for a later `$ref`.
 */
export interface JsonExpectation {
  readonly error?: string | readonly string[] | true;
  readonly mentions?: readonly string[];
  readonly paths?: readonly string[];
  readonly lines?: ReadonlyArray<readonly [string, number, string]>;
  readonly each?: readonly JsonExpectation[];
  readonly [field: string]: unknown;
}

/** One call of a case. */
interface JsonStep {
  readonly call: string;
  readonly args: readonly JsonValue[];
  readonly gives: JsonExpectation;
}

/** A case as data. Files hold lists of them; another language needs an interpreter of this shape and no more. */
export interface JsonCase {
  readonly id: string;
  /** Rules of `docs/semantics.md`. The first is the one that a failure quotes. */
  readonly rule: readonly [string, ...string[]];
  /** Default `"core"`. */
  readonly level?: Level;
  readonly needs?: readonly Need[];
  readonly tier?: Tier;
  /** Files that are there before: path to content. */
  readonly given?: Readonly<Record<string, JsonValue>>;
  readonly when: readonly JsonStep[];
  /** What files hold in the end: path to content, `null` for no file. */
  readonly then?: Readonly<Record<string, JsonValue>>;
  readonly why: string;
  readonly hint?: string;
  /** How many times the usual time limit it may take. Default 1. */
  readonly patience?: number;
}
