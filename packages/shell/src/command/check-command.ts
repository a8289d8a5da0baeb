import type { ErrorCode, ExecuteOptions, ExecuteResponse } from "@fs/protocol";

/** Bytes of a command; Linux takes 131,072 per argument, its closing NUL included. */
const MAX_COMMAND_BYTES = 120_000;
/** The longest a timer of Node can wait, in seconds. */
const MAX_TIMEOUT = 2_147_483;

/** What a caller asked for, checked. */
export interface CheckedCall {
  /** Seconds; 0 means none. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Checks the arguments of an `execute`, whatever they are. Returns them, or the response that refuses them.
 *
 * @param timeout Seconds where the caller does not say.
 */
export function checkedCall(
  command: unknown,
  options: unknown,
  timeout: number,
): CheckedCall | ExecuteResponse {
  try {
    return commandRefusal(command) ?? checkedOptions(options ?? {}, timeout);
  } catch (error) {
    // A getter of the caller's that throws.
    return refusal(
      `The options could not be read (${error instanceof Error ? error.name : typeof error}).`,
    );
  }
}

/** Distinguishes a refusal from checked arguments. */
export function isRefused(checked: CheckedCall | ExecuteResponse): checked is ExecuteResponse {
  return "output" in checked;
}

/** The response of a command that did not run to its end. */
export function failedCommand(code: ErrorCode, error: string): ExecuteResponse {
  return { output: error, exitCode: null, truncated: false, error, code };
}

function checkedOptions(options: unknown, otherwise: number): CheckedCall | ExecuteResponse {
  if (typeof options !== "object" || options === null)
    return refusal("The options must be an object with 'timeout' and 'signal'.");
  const { timeout = otherwise, signal } = options as ExecuteOptions;
  if (typeof timeout !== "number" || !(timeout >= 0 && timeout <= MAX_TIMEOUT))
    return refusal(`'timeout' must be seconds, from 0 (none) to ${MAX_TIMEOUT}.`);
  if (signal !== undefined && !(signal instanceof AbortSignal))
    return refusal("'signal' must be an AbortSignal.");
  return { timeout, signal };
}

function commandRefusal(command: unknown): ExecuteResponse | undefined {
  if (typeof command !== "string" || command.trim() === "")
    return refusal("The command must be a text that is not empty.");
  if (command.includes("\0")) return refusal("The command holds a NUL character.");
  if (!command.isWellFormed()) return refusal("The command holds half of a surrogate pair.");
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    return refusal(
      `The command is longer than ${MAX_COMMAND_BYTES} bytes. Write it to a file and run that.`,
    );
  }
  return undefined;
}

function refusal(error: string): ExecuteResponse {
  return failedCommand("invalid_argument", error);
}
