/**
 * Every code an operation can fail with. Codes are stable: callers branch on them, never on the sentence.
 */
export const ERROR_CODES = [
  "not_found",
  "already_exists",
  "is_directory",
  "not_directory",
  "invalid_path",
  "invalid_argument",
  "invalid_pattern",
  "invalid_range",
  "no_match",
  "not_unique",
  "not_text",
  "conflict",
  "too_large",
  "permission_denied",
  "quota_exceeded",
  "unsupported",
  "unavailable",
  "aborted",
  "timeout",
] as const;

/** The stable code beside the sentence of a failed result. */
export type ErrorCode = (typeof ERROR_CODES)[number];

const KNOWN: ReadonlySet<unknown> = new Set(ERROR_CODES);

/** Returns whether a value is one of {@link ERROR_CODES}. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return KNOWN.has(value);
}
