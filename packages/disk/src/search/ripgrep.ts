import type { Readable } from "node:stream";
import { onAbort } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";
import type { LinePattern } from "@fs/protocol/hooks";
import { startProgram, type RunningProgram } from "./start-program.js";

/** The longest pattern that is passed as an argument; the kernel refuses more than 128 KiB. */
const MAX_ARGUMENT = 64 * 1024;

/** What ripgrep is asked to look through. */
export interface CandidateSearch {
  readonly program: string;
  readonly pattern: LinePattern;
  /** The host directory. */
  readonly directory: string;
  /** The source of the file filter. */
  readonly glob: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the system refused to show ripgrep a directory or a file. */
  readonly onUnreadable?: (() => void) | undefined;
}

/** Thrown when ripgrep did not finish, so that its candidates may not be all. */
export class RipgrepFailure extends Error {
  override readonly name = "RipgrepFailure";
}

/** Returns whether ripgrep can find every file that a pattern matches in. It may find more. */
export function ripgrepCanFind({ regex, ignoreCase, source }: LinePattern): boolean {
  if (regex || source.length > MAX_ARGUMENT || source.includes("\0")) return false;
  // Unicode has more ways to fold case than ripgrep and JavaScript agree on.
  // oxlint-disable-next-line no-control-regex
  return !ignoreCase || /^[\u0001-\u007f]*$/.test(source);
}

/**
 * The host paths of all files that hold a pattern, in no order, and perhaps of some that do not. Throws
 * {@link RipgrepFailure} at the end when there may be others.
 */
export async function* candidateFiles(search: CandidateSearch): AsyncGenerator<readonly string[]> {
  const child = await started(search);
  const kill = (): void => child.kill();
  const stopListening = search.signal && onAbort(search.signal, kill);
  // Fired while the program was being started.
  if (search.signal?.aborted === true) kill();
  const complaints = complaintsIn(child.stderr);
  try {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf(0);
      rest = bytes.subarray(end + 1);
      if (end === -1) continue;
      yield bytes.toString("utf8", 0, end).split("\0");
    }
    const code = await child.ended;
    // 0: found; 1: nothing found; 2: something went wrong, which is no loss while it was only entries that may not be read.
    const about = code === 2 ? await complaints : "nothing";
    if ((code !== 0 && code !== 1 && code !== 2) || about === "the search")
      throw new RipgrepFailure();
    if (about === "what may not be read") search.onUnreadable?.();
  } finally {
    stopListening?.();
    child.kill();
  }
}

async function started(search: CandidateSearch): Promise<RunningProgram> {
  if (search.signal?.aborted === true) throw new VolumeError("aborted");
  try {
    return await startProgram(search.program, argumentsFor(search));
  } catch (error) {
    throw new RipgrepFailure("ripgrep did not start.", { cause: error });
  }
}

/** Bytes of messages that are kept; a tree with more unreadable entries is searched without ripgrep. */
const MAX_MESSAGES = 256 * 1024;
/** EPERM, ENOENT, EACCES, ENOTDIR and ELOOP: what the entry itself is, not what the machine lacks. */
const ABOUT_AN_ENTRY = /\(os error (?:1|2|13|20|40)\)$/;
/** EPERM and EACCES: the entry is there, and may not be read. */
const ABOUT_PERMISSION = /\(os error (?:1|13)\)$/;

/** What ripgrep's messages are about: single entries only, some of which may not be read, or more than that. */
async function complaintsIn(
  stderr: Readable,
): Promise<"nothing" | "what may not be read" | "the search"> {
  const chunks: Buffer[] = [];
  let size = 0;
  stderr.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_MESSAGES) chunks.push(chunk);
  });
  const whole = await new Promise<boolean>((resolve) => {
    stderr.once("end", () => resolve(size <= MAX_MESSAGES));
    stderr.once("error", () => resolve(false));
    stderr.once("close", () => resolve(false));
  });
  const lines = Buffer.concat(chunks).toString("utf8").trimEnd().split("\n");
  if (!whole || !lines.every((line) => ABOUT_AN_ENTRY.test(line))) return "the search";
  return lines.some((line) => ABOUT_PERMISSION.test(line)) ? "what may not be read" : "nothing";
}

function argumentsFor({ pattern, directory, glob }: CandidateSearch): string[] {
  const names = glob === undefined ? undefined : simpleNameGlob(glob);
  return [
    "--no-config",
    "--no-ignore",
    "--hidden",
    "--no-follow",
    "--no-mmap",
    // Bytes as they are: a byte order mark changes nothing.
    "--encoding=none",
    "--color=never",
    "--files-with-matches",
    "--null",
    ...(names === undefined ? [] : [`--glob=${names}`]),
    ...(pattern.ignoreCase ? ["--ignore-case"] : ["--case-sensitive", "--fixed-strings"]),
    `--regexp=${pattern.ignoreCase ? caseless(pattern.source) : pattern.source}`,
    "--",
    directory,
  ];
}

/** An expression that finds an ASCII text in any case, also where lower-casing makes an ASCII letter of another. */
function caseless(text: string): string {
  const escaped = text.replaceAll(
    /[^A-Za-z0-9 ]/g,
    (character) => `\\x{${character.charCodeAt(0).toString(16)}}`,
  );
  // `İ` is lower-cased to `i` and a combining dot; ripgrep does not fold it. It does fold `K` to the Kelvin sign.
  return escaped.replaceAll(/[iI]/g, "[iİ]");
}

/** The last segment of a filter, when it is an extension or a list of them, which mean the same to ripgrep. */
function simpleNameGlob(glob: string): string | undefined {
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  return /^\*\.(?:\w+|\{\w+(?:,\w+)*\})$/.test(name) && !/[{}]/.test(glob.slice(0, -name.length))
    ? name
    : undefined;
}
