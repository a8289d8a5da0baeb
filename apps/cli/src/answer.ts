import type { ErrorCode } from "@fs/protocol";
import type { Context } from "./context.js";
import { EXIT, exitCodeOf } from "./exit-codes.js";

/** A result of any call. */
interface Result {
  readonly error?: string | null | undefined;
  readonly code?: ErrorCode | undefined;
  /** What a partial answer leaves out. */
  readonly warnings?: readonly string[] | undefined;
}

/** Prints the result of a call, or why it failed, and gives the exit code: that of a part where the answer leaves something out. */
export async function answer<T extends object>(
  { output }: Context,
  result: T,
  lines: (result: Exclude<T, Failed>) => readonly string[],
): Promise<number> {
  if (isFailed(result)) {
    await output.failure(result.error, result.code);
    return exitCodeOf(result.code);
  }
  await output.result(result, () => lines(result as Exclude<T, Failed>));
  const { warnings = [] } = result as Result;
  for (const warning of warnings) if (!output.json) output.note(`fs-agent: ${warning}`);
  return warnings.length === 0 ? EXIT.ok : EXIT.partial;
}

/** A result that says why it failed. */
interface Failed {
  readonly error: string;
  readonly code?: ErrorCode | undefined;
}

function isFailed(result: object): result is Failed {
  return typeof Reflect.get(result, "error") === "string";
}

/** The exit code of several calls: of the one that failed, or that some did. */
export function exitCodeOfAll(results: readonly Result[]): number {
  const failed = results.filter(({ error }) => error !== undefined && error !== null);
  if (failed.length === 0) return EXIT.ok;
  return failed.length < results.length ? EXIT.partial : exitCodeOf(failed[0]?.code);
}
