import type { ErrorCode } from "@fs/protocol";

/** What the process ends with. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  partial: 4,
  conflict: 5,
  interrupted: 130,
} as const;

/** The exit code of a failed call. */
export function exitCodeOf(code: ErrorCode | undefined): number {
  if (code === "conflict") return EXIT.conflict;
  return code === "aborted" ? EXIT.interrupted : EXIT.failed;
}
