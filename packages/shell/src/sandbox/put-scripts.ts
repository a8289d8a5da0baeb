import type { PutCondition } from "@fs/protocol/author";
import {
  CLEANED,
  locked,
  MAKE_PARENT,
  refuseInto,
  renamed,
  retried,
  SAME_VERSION,
  sayUnlessGone,
} from "./mutation-scripts.js";
import { END, say } from "./scripts.js";
import { shellText } from "./shell-text.js";

/** What must be true of the entry at a path for a put. */
export type PutWay = "absent" | "version" | "any";

/** The way of a condition. */
export function putWayOf({
  ifAbsent,
  ifVersion,
}: Pick<PutCondition, "ifAbsent" | "ifVersion">): PutWay {
  if (ifAbsent === true) return "absent";
  return ifVersion === undefined ? "any" : "version";
}

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * What a script compares with a file's version; `""` without a condition. What is no version becomes a word that none is: a
 * shell takes line ends off the end of a text, and what is left of it may be one.
 */
export function comparableVersion(ifVersion: string | undefined): string {
  if (ifVersion === undefined) return "";
  return SHA256.test(ifVersion) ? ifVersion : "none";
}

/** One file of a batch. */
export interface BatchFile {
  readonly host: string;
  readonly lock: string;
  readonly name: string;
  /** What must be true of what is there; for `"version"`, the version. */
  readonly how: PutWay;
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** Refuses a staged file that is not all there: what is stored of it would be cut off. */
const whole = (bytes: number): string =>
  `[ "$(wc -c <"$b")" -eq ${bytes} ] 2>/dev/null || ${say("not-sent")}`;

/** Writes the staged file `$b` to `$t`. */
const COPY = [`cp "$b" "$t" 2>/dev/null || ${sayUnlessGone("full")}`];

/** Writes `$n` bytes of the staged file `$b`, from byte `$o` on (the first is 1), to `$t`. `head` says when a disk is full. */
const CUT_OUT = [
  `tail -c "+$o" "$b" | head -c "$n" 2>/dev/null >"$t" || ${sayUnlessGone("full")}`,
  // A pipe ends as its last command does: of a file that is gone by now it would make an empty one.
  `[ -f "$b" ] || ${say("not-sent")}`,
];

/** Publishes at `$p` what the lines of `fill` write to `$t`, in one step, in a script that is {@link CLEANED}. */
function publishScript(how: PutWay, fill: readonly string[]): string[] {
  const publish = {
    absent: [
      `[ -e "$p" ] && ${say("exists")}`,
      `ln "$t" "$p" 2>/dev/null || { if [ -e "$p" ]; then ${say("exists")}; else ${sayUnlessGone("denied")}; fi; }`,
      refuseInto("p", "t"),
    ],
    version: [...locked("l"), `[ -f "$p" ] || ${say("conflict")}`, SAME_VERSION, ...renamed("p")],
    any: [...locked("l"), ...renamed("p")],
  }[how];
  return [
    '[ -L "$p" ] && [ -e "$p" ] && p=$(readlink -f "$p")',
    'd=${p%/*}; [ -n "$d" ] || d=/',
    `[ -d "$p" ] && ${say("directory")}`,
    ...MAKE_PARENT,
    't="$d/$r"',
    ...fill,
    // The first is GNU's, and one process in place of two.
    '[ ! -f "$p" ] || chmod --reference="$p" "$t" 2>/dev/null || chmod "$(stat -c %a "$p")" "$t"',
    ...publish,
  ];
}

/**
 * Puts files whose bytes stand one after another in the staged file `$b`, each in one step. Says one word for each, in order: the
 * end mark, or what was in its way.
 */
export function putScript(files: readonly BatchFile[]): string[] {
  const fill = files.length === 1 ? COPY : CUT_OUT;
  const ways = [...new Set(files.map(({ how }) => how))];
  const functions = ways.flatMap((how) => [
    `put_${how}() {`,
    CLEANED,
    ...publishScript(how, fill),
    `echo ${END}`,
    "}",
  ]);
  let total = 0;
  const calls = files.map(({ host, lock, name, how, version, bytes }) => {
    const first = total + 1;
    total += bytes.length;
    return [
      `{ p=${shellText(host)}`,
      `v=${version === "" ? "" : shellText(version)}`,
      `l=${shellText(lock)}`,
      `r=${name}`,
      `o=${first}`,
      `n=${bytes.length}`,
      `${retried(`put_${how}`)}; } 2>/dev/null`,
    ].join("; ");
  });
  return [`trap 'rm -f "$b"' EXIT`, whole(total), ...functions, ...calls];
}
