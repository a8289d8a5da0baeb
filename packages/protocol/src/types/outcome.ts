import type { ErrorCode } from "../errors/codes.js";

/** A value, or a promise of it: every method of a foreign backend may answer either way. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * A sentence for the agent. The type holds a space, so that no sentence is empty and `if (result.error)` narrows a result
 * as `if (result.error !== undefined)` does.
 */
export type Sentence = `${string} ${string}`;

/** The part of any failed result that says what went wrong. */
export interface Failure {
  /** A sentence for the agent. */
  error: Sentence;
  /** The stable code; callers branch on it. */
  code: ErrorCode;
}

/**
 * What a call answers: its data, or a failure and none of the data.
 *
 * @example
 * const result = await files.read("/a.txt");
 * if (result.error) return console.error(result.code, result.error);
 * console.log(result.content);
 */
export type Outcome<T> =
  | (T & { error?: never; code?: never })
  | (Failure & { [K in keyof T]?: never });

/** An outcome as backends of other packages answer it: everything may be missing, and the sentence may be `null`. */
export type ForeignOutcome<T> = {
  [K in Exclude<keyof T, "error" | "code">]?: T[K] | undefined;
} & { error?: string | null | undefined; code?: ErrorCode | undefined };
