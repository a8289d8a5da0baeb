import { isDeepStrictEqual } from "node:util";
import { describeDifference } from "../report/difference.js";
import { show } from "../report/render.js";
import { CheckFailure } from "./check-failure.js";

/** What every answer may say of a failure. Items of a batch say `error: null` where others leave it out; so may any. */
export interface Answered {
  readonly error?: unknown;
  readonly code?: unknown;
}

/** Whether an answer is a failure. */
export function hasFailed({ error }: Answered): boolean {
  return error !== undefined && error !== null;
}

/** The assertions of a case. Each one counts: a case that makes none is an error of the suite. */
export class Checker {
  readonly #codes: boolean;
  #assertions = 0;

  /** @param codes Whether failures must carry their code. */
  constructor(codes: boolean) {
    this.#codes = codes;
  }

  get assertions(): number {
    return this.#assertions;
  }

  /** A condition, with the sentence that says what should have been. */
  that(condition: boolean, sentence: string, rule?: string): void {
    this.#assertions++;
    if (!condition) throw new CheckFailure(sentence, { rule });
  }

  /** Deep equality. Bytes, strings and plain values. */
  equal(actual: unknown, expected: unknown, what: string, rule?: string): void {
    this.#assertions++;
    if (isDeepStrictEqual(plain(actual), plain(expected))) return;
    throw new CheckFailure(`${what} is not as expected.`, {
      rule,
      difference: describeDifference(expected, actual),
    });
  }

  /** The call succeeded. */
  succeeded(result: Answered, what: string, rule?: string): void {
    this.#assertions++;
    if (!hasFailed(result)) return;
    throw new CheckFailure(`${what} should have succeeded, but it failed: ${show(result.error)}`, {
      rule,
    });
  }

  /** The call failed, with this code or one of these. Codes are only compared where the profile has them. */
  failed(
    result: Answered,
    codes: string | readonly string[] | undefined,
    what: string,
    rule?: string,
  ): void {
    this.#assertions++;
    const wanted = codes === undefined ? [] : typeof codes === "string" ? [codes] : codes;
    const named = wanted.length === 0 ? "" : ` with ${wanted.join(" or ")}`;
    if (!hasFailed(result)) {
      throw new CheckFailure(`${what} should have failed${named}, but it succeeded.`, {
        rule,
        difference: `- expected { error: …${wanted[0] === undefined ? "" : `, code: "${wanted.join('" | "')}"`} }\n+ received ${show(result, 600)}`,
      });
    }
    if (!this.#codes || wanted.length === 0) return;
    if (typeof result.code === "string" && wanted.includes(result.code)) return;
    throw new CheckFailure(`${what} failed with another code.`, {
      rule,
      difference: `- expected code "${wanted.join('" or "')}"\n+ received code ${show(result.code)}, error ${show(result.error)}`,
    });
  }
}

/** A Buffer equals the Uint8Array of its bytes; results may have any prototype. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
  }
  return value;
}
