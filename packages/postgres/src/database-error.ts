import type { ErrorCode } from "@fs/protocol";
import { VolumeError } from "@fs/protocol/author";

const SETUP_HINT =
  "The tables of this filesystem do not exist or are older than this version. Run 'await backend.setup()' once.";
const NO_WRITES = "This database accepts no writes: it is a replica, or read-only.";
const RIVALS =
  "Other clients kept changing the same files, so that this call was undone each time. Nothing was changed; try again.";
const NO_ROOM = "The database has no room left. Nothing was changed.";
const NO_CONNECTION = "The database accepts no further connection now. Try again later.";
const LOCKED =
  "Another transaction held a lock for longer than the database waits. Nothing was changed; try again.";
const CANCELLED =
  "The database cancelled the statement, or it took longer than its limit. Nothing was changed.";

/** What the SQLSTATEs that say more than `unavailable` mean. */
const CODES: Readonly<Record<string, readonly [ErrorCode, detail?: string]>> = {
  "23505": ["already_exists"],
  "25006": ["permission_denied", NO_WRITES],
  // A lock that a replica cannot take, as `for update` asks for.
  "55000": ["permission_denied", NO_WRITES],
  "3F000": ["unavailable", SETUP_HINT],
  "42501": ["permission_denied", "The role of this filesystem lacks a right on its tables."],
  "42703": ["unavailable", SETUP_HINT],
  "42883": ["unavailable", SETUP_HINT],
  "42P01": ["unavailable", SETUP_HINT],
  "40001": ["conflict", RIVALS],
  "40P01": ["conflict", RIVALS],
  "53100": ["quota_exceeded", NO_ROOM],
  "53200": ["unavailable", "The database ran out of memory. Nothing was changed."],
  "53300": ["unavailable", NO_CONNECTION],
  "53400": ["quota_exceeded", NO_ROOM],
  "54000": ["too_large"],
  "55P03": ["timeout", LOCKED],
  "57014": ["timeout", CANCELLED],
  "57P03": ["unavailable", NO_CONNECTION],
};

/** The SQLSTATE of a driver's error, or `undefined`. An errno such as `EPIPE` is none: every SQLSTATE holds a digit. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** A deadlock or a serialization failure: the statement was undone whole, and may be sent again. */
export function isTransient(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

/**
 * True when the connection ended with the error: it came from the socket, is of the class of connections, or the server
 * ends the session, on command, in a crash, or because it idled in a transaction for too long.
 */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || /^08|^57P0[1245]$|^25P0[34]$/.test(state);
}

/** A driver's error with its code, and with a sentence that repeats nothing of it; the error itself is the cause. */
export function databaseError(error: unknown): VolumeError {
  if (VolumeError.isInstance(error)) return error;
  const [code, detail] = CODES[sqlState(error) ?? ""] ?? ["unavailable"];
  return new VolumeError(code, detail, { cause: error });
}
