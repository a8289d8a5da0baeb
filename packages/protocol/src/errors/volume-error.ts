import { isErrorCode, type ErrorCode } from "./codes.js";

// Two copies of this package may meet in one process; a registered symbol lets each know the other's errors.
const MARK = Symbol.for("@fs/protocol/VolumeError");

export interface VolumeErrorOptions extends ErrorOptions {
  /** The virtual path that failed, where it is not the one of the call: a parent, say, or one file of many. */
  path?: string;
}

/**
 * What a volume throws when it knows what went wrong. The backend above turns it into a result.
 *
 * The message reaches the agent, so it must never hold a host path, an address or a credential; leave it out and
 * the code's own sentence is used. Keep the original error as `cause` for the operator's `onError`.
 *
 * Of a change whose outcome it does not know a volume lets the driver's own error through, or throws what `outcomeUnknown` of
 * `@fs/protocol/async` makes (A7): the sentence of `unavailable` itself says only that the storage is away.
 *
 * @example
 * throw new VolumeError("unavailable", undefined, { cause: error });
 */
export class VolumeError extends Error {
  readonly code: ErrorCode;
  readonly path: string | undefined;
  /** The sentence for the agent, when the thrower wrote one. */
  readonly detail: string | undefined;

  constructor(code: ErrorCode, detail?: string, options: VolumeErrorOptions = {}) {
    super(detail ?? code, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "VolumeError";
    this.code = code;
    this.detail = detail;
    this.path = options.path;
    Object.defineProperty(this, MARK, { value: true });
  }

  /** Recognises a VolumeError of any copy of this package. */
  static isInstance(error: unknown): error is VolumeError {
    return (
      typeof error === "object" &&
      error !== null &&
      MARK in error &&
      "code" in error &&
      isErrorCode(error.code)
    );
  }
}
