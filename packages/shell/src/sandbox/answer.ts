import type { ErrorCode, ExecuteResponse } from "@fs/protocol";
import { isCode, VolumeError } from "@fs/protocol/author";
import { END } from "./scripts.js";

/** What the scripts say instead of an answer. `missing` is no error by itself. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  missing: "not_found",
  directory: "is_directory",
  "not-directory": "not_directory",
  exists: "already_exists",
  denied: "permission_denied",
  unmade: "permission_denied",
  gone: "conflict",
  conflict: "conflict",
  full: "quota_exceeded",
  "too-large": "too_large",
  busy: "unavailable",
  "not-sent": "unavailable",
  "missing-tool": "unsupported",
};

const DETAILS: Readonly<Record<string, string>> = {
  gone: "The directory was removed again and again while this was stored in it. Try again.",
  busy: "The file stayed locked by another command in the sandbox. Try again.",
  "not-sent":
    "What was sent to the sandbox did not arrive whole, or was removed there before it was stored. Try again.",
  "missing-tool":
    "The sandbox lacks a tool that files need: find, stat, grep, base64, sha256sum and the like, as in GNU or BusyBox.",
};

/**
 * The lines of a script's answer, without its end mark. Throws what the script said instead, and `unavailable` when the
 * answer is not whole: a command that failed has found nothing out.
 */
export function answerLines(response: ExecuteResponse): string[] {
  const lines = response.output.split("\n");
  while (lines.at(-1) === "") lines.pop();
  const last = lines.pop() ?? "";
  if (last === END) return lines;
  const said = errorOf(last);
  if (said !== undefined) throw said;
  if (response.code === "aborted" || response.code === "timeout")
    throw new VolumeError(response.code);
  throw new VolumeError(
    response.code ?? "unavailable",
    "The sandbox did not answer as expected. Try again later.",
  );
}

/** What a word of a script means; `undefined` for the end mark and for anything else. */
export function errorOf(line: string): VolumeError | undefined {
  const word = /^fs:([a-z-]+)$/.exec(line)?.[1] ?? "";
  const code = CODES[word];
  return code === undefined ? undefined : new VolumeError(code, DETAILS[word]);
}

/** A missing file, or a directory in its place, has not the version that a put asked for. */
export function asConflict(how: "absent" | "version" | "any", error: unknown): unknown {
  const gone = how === "version" && isCode(error, "not_found", "not_directory");
  return gone ? new VolumeError("conflict") : error;
}

/** A line of `stat -c '%f %s %Y %n'`. */
export interface StatLine {
  readonly kind: "file" | "directory" | "other";
  readonly size: number;
  /** ISO 8601, to the second. */
  readonly modifiedAt: string;
  readonly name: string;
}

/** Reads one line of `stat`; `undefined` for anything else. */
export function parseStat(line: string | undefined): StatLine | undefined {
  // Every character but the newline that ends the line may stand in a name, other line separators too.
  const match = /^([0-9a-f]+) (\d+) (-?\d+) (.*)$/s.exec(line ?? "");
  if (match === null) return undefined;
  const [, mode = "", size = "", seconds = "", name = ""] = match;
  return {
    kind: kindOf(Number.parseInt(mode, 16)),
    size: Number(size),
    modifiedAt: new Date(Number(seconds) * 1000).toISOString(),
    name,
  };
}

function kindOf(mode: number): StatLine["kind"] {
  const type = mode & 0xf000;
  if (type === 0x8000) return "file";
  return type === 0x4000 ? "directory" : "other";
}
