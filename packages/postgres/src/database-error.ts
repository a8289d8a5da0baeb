import { VolumeError } from "@fs/protocol/author";
import type { ErrorCode } from "@fs/protocol";

const SETUP_HINT =
  "The tables of this filesystem do not exist or are older than this version. Run 'await backend.setup()' once.";

/** What the SQLSTATEs that say more than `unavailable` mean. A class stands for its codes. */
const CODES: Readonly<Record<string, readonly [ErrorCode, detail?: string]>> = {
  "23505": ["already_exists"],
  "25006": ["permission_denied", "This database accepts no writes: it is a replica, or read-only."],
  "3F000": ["unavailable", SETUP_HINT],
  "42501": ["permission_denied"],
  "42703": ["unavailable", SETUP_HINT],
  "42883": ["unavailable", SETUP_HINT],
  "42P01": ["unavailable", SETUP_HINT],
  "40001": ["conflict"],
  "40P01": ["conflict"],
  "53100": ["quota_exceeded"],
  "53400": ["quota_exceeded"],
  "54000": ["too_large"],
  "55P03": ["conflict"],
  "57014": ["timeout"],
};

/** The SQLSTATE of a driver's error, or `undefined`. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** A deadlock or a serialization failure: the statement was undone whole, and may be sent again. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

/** A driver's error with its code, and with a sentence that repeats nothing of it; the error itself is the cause. */
export function databaseError(error: unknown): VolumeError {
  if (VolumeError.isInstance(error)) return error;
  const [code, detail] = CODES[sqlState(error) ?? ""] ?? ["unavailable"];
  return new VolumeError(code, detail, { cause: error });
}
