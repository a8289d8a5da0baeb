import type { ExecuteResponse } from "@fs/protocol";

/** Bytes of a command; Linux takes 131,072 per argument, its closing NUL included. */
const MAX_COMMAND_BYTES = 120_000;

/** Why a command cannot be run, or `undefined`. */
export function commandRefusal(command: unknown): ExecuteResponse | undefined {
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

/** Why a timeout cannot be used, or `undefined`. */
export function timeoutRefusal(timeout: unknown): ExecuteResponse | undefined {
  if (
    typeof timeout === "number" &&
    Number.isFinite(timeout) &&
    timeout >= 0 &&
    timeout <= MAX_TIMEOUT
  )
    return undefined;
  return refusal(`'timeout' must be seconds, from 0 (none) to ${MAX_TIMEOUT}.`);
}

/** The longest a timer of Node can wait, in seconds. */
const MAX_TIMEOUT = 2_147_483;

function refusal(error: string): ExecuteResponse {
  return { output: error, exitCode: null, truncated: false, error, code: "invalid_argument" };
}
