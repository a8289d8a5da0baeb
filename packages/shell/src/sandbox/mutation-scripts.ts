import type { PutCondition } from "@fs/protocol/author";
import { END, HASH, say } from "./scripts.js";
import { shellText } from "./shell-text.js";

/** Makes the directory `$d`, or says what stands in its way. */
const MAKE_PARENT = [
  'x=$d; while [ ! -e "$x" ] && [ ! -L "$x" ]; do x=${x%/*}; [ -n "$x" ] || x=/; done',
  `[ -d "$x" ] || ${say("not-directory")}`,
  `mkdir -p "$d" 2>/dev/null || ${say("denied")}`,
  `[ -w "$d" ] || ${say("denied")}`,
];

/**
 * Takes the locks of the given variables, in that order for everybody. One that is older than a minute was left by a script
 * that was killed.
 */
function locked(...names: readonly string[]): string[] {
  return [
    "take() {",
    "  n=0",
    '  until mkdir "$1" 2>/dev/null; do',
    // Where no lock can be made at all, waiting for one is of no use.
    `    [ -d "$1" ] || [ -w "\${1%/*}" ] || ${say("denied")}`,
    '    [ -z "$(find "$1" -maxdepth 0 -mmin +1 2>/dev/null)" ] || rmdir "$1" 2>/dev/null',
    `    n=$((n+1)); [ $n -lt 600 ] || ${say("busy")}`,
    "    sleep 0.02 2>/dev/null || sleep 1",
    "  done",
    "}",
    ...names.map(
      (name, index) =>
        `take "$${name}"; trap 'rmdir ${names
          .slice(0, index + 1)
          .map((taken) => `"$${taken}"`)
          .join(" ")} 2>/dev/null' EXIT`,
    ),
  ];
}

const SAME_VERSION = `[ "$(${HASH})" = "$v" ] || ${say("conflict")}`;

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

/** Refuses a staged file that is not all there: what is stored of it would be cut off. */
function whole(variable: "b" | "s", bytes: number): string[] {
  const file = `"$${variable}"`;
  return [
    `[ "$(wc -c <${file})" -eq ${bytes} ] 2>/dev/null || { rm -f ${file}; ${say("not-sent")}; }`,
  ];
}

/** Puts the staged file `$s`, of so many bytes, at `$p` in one step. `how` is what must be true of what stands there. */
export function putScript(how: PutWay, bytes: number): string[] {
  return publishScript(how, [
    ...whole("s", bytes),
    `cp "$s" "$t" 2>/dev/null || { rm -f "$t" "$s"; ${say("full")}; }`,
    'rm -f "$s"',
  ]);
}

/** Writes `$n` bytes of the staged file `$b`, from byte `$o` on (the first is 1), to `$t`. `head` says when a disk is full. */
const CUT_OUT = [
  `tail -c "+$o" "$b" | head -c "$n" 2>/dev/null >"$t" || { rm -f "$t"; ${say("full")}; }`,
  // A pipe ends as its last command does: of a file that is gone by now it would make an empty one.
  `[ -f "$b" ] || { rm -f "$t"; ${say("not-sent")}; }`,
];

/** Publishes at `$p` what the lines of `fill` write to `$t`, in one step. */
function publishScript(how: PutWay, fill: readonly string[]): string[] {
  const publish = {
    absent: [
      `[ -e "$p" ] && { rm -f "$t"; ${say("exists")}; }`,
      `ln "$t" "$p" 2>/dev/null || { rm -f "$t"; if [ -e "$p" ]; then ${say("exists")}; else ${say("denied")}; fi; }`,
      'rm -f "$t"',
    ],
    version: [
      ...locked("l"),
      `if [ ! -f "$p" ] || [ "$(${HASH})" != "$v" ]; then rm -f "$t"; ${say("conflict")}; fi`,
      `mv -f "$t" "$p" || ${say("denied")}`,
    ],
    any: [...locked("l"), `mv -f "$t" "$p" || ${say("denied")}`],
  }[how];
  return [
    '[ -L "$p" ] && [ -e "$p" ] && p=$(readlink -f "$p")',
    'd=${p%/*}; [ -n "$d" ] || d=/',
    `[ -d "$p" ] && ${say("directory")}`,
    ...MAKE_PARENT,
    't="$d/.fs-$r"',
    ...fill,
    '[ -f "$p" ] && chmod "$(stat -c %a "$p")" "$t"',
    ...publish,
  ];
}

/** Removes the file or empty directory `$p`. */
export function removeScript(versioned: boolean): string[] {
  return [
    `[ -e "$p" ] || [ -L "$p" ] || ${say("missing")}`,
    `if [ -d "$p" ] && [ ! -L "$p" ]; then rmdir "$p" 2>/dev/null || ${say("directory")}; echo ${END}; exit 0; fi`,
    ...locked("l"),
    `[ -e "$p" ] || [ -L "$p" ] || ${say("missing")}`,
    ...(versioned ? [SAME_VERSION] : []),
    `rm -f "$p" 2>/dev/null || ${say("denied")}`,
  ];
}

/** Removes the directory `$p` with all below it; says how many files there were. */
export const REMOVE_TREE = [
  `[ -d "$p" ] || ${say("missing")}`,
  'find "$p/." -type f 2>/dev/null | wc -l',
  'rm -rf "$p" 2>/dev/null',
  `[ ! -e "$p" ] || ${say("denied")}`,
];

const TARGET = [
  'd=${q%/*}; [ -n "$d" ] || d=/',
  `[ -d "$q" ] && ${say("directory")}`,
  ...MAKE_PARENT,
];
const REFUSE_TAKEN = `[ ! -e "$q" ] || ${say("exists")}`;

/** Moves the file `$p` to `$q`, under the locks `$l` and `$m` of both. */
export function moveFileScript(overwrite: boolean): string[] {
  return [
    ...TARGET,
    ...locked("l", "m"),
    `[ -f "$p" ] || ${say("missing")}`,
    ...(overwrite
      ? [`mv -f "$p" "$q" 2>/dev/null || ${say("denied")}`]
      : [
          REFUSE_TAKEN,
          `ln "$p" "$q" 2>/dev/null || { ${REFUSE_TAKEN}; ${say("denied")}; }`,
          // What may be linked may not always be removed: then the file is where it was, and nowhere else.
          `rm -f "$p" 2>/dev/null || { [ "$q" -ef "$p" ] && rm -f "$q"; ${say("denied")}; }`,
        ]),
  ];
}

/** Copies the file `$p` to `$q` by way of a file beside it. */
export function copyFileScript(overwrite: boolean): string[] {
  return [
    `[ -f "$p" ] || ${say("missing")}`,
    ...TARGET,
    ...(overwrite ? [] : [REFUSE_TAKEN]),
    't="$d/.fs-$r"',
    `cp "$p" "$t" 2>/dev/null || { rm -f "$t"; ${say("full")}; }`,
    overwrite
      ? `mv -f "$t" "$q" 2>/dev/null || { rm -f "$t"; ${say("denied")}; }`
      : `ln "$t" "$q" 2>/dev/null || { rm -f "$t"; ${REFUSE_TAKEN}; ${say("denied")}; }; rm -f "$t"`,
  ];
}

/** What {@link MOVE_TREE} answers in place of a number when a file below matches `$m`. */
export const TOO_LONG = "too-long";

/**
 * Moves the directory `$p` to `$q`, where nothing stands; says how many files it has. Moves nothing where a file below matches
 * the pattern `$m`, if there is one.
 */
export const MOVE_TREE = [
  `[ -d "$p" ] || ${say("missing")}`,
  `if [ -n "$m" ] && [ -n "$(find "$p/." -type f -path "$m" 2>/dev/null | head -n 1)" ]; then echo ${TOO_LONG}; echo ${END}; exit; fi`,
  ...TARGET,
  REFUSE_TAKEN,
  'find "$p/." -type f 2>/dev/null | wc -l',
  `mv "$p" "$q" 2>/dev/null || ${say("denied")}`,
];

/** One file of a batch, for {@link putManyScript}. */
export interface BatchFile {
  readonly host: string;
  readonly lock: string;
  readonly name: string;
  /** What must be true of what is there; for `"version"`, the version. */
  readonly how: PutWay;
  readonly version: string;
  /** Where its bytes are in the staged blob. */
  readonly offset: number;
  readonly length: number;
}

/**
 * Puts many files whose bytes stand one after another in the staged file `$b`, each in one step. Says one word for each, in
 * order: the end mark, or what was in its way.
 */
export function putManyScript(files: readonly BatchFile[]): string[] {
  const ways = [...new Set(files.map(({ how }) => how))];
  const functions = ways.flatMap((how) => [
    `put_${how}() {`,
    ...publishScript(how, CUT_OUT),
    `echo ${END}`,
    "}",
  ]);
  const calls = files.map(({ host, lock, name, how, version, offset, length }) =>
    [
      `(p=${shellText(host)}`,
      `v=${version === "" ? "" : shellText(version)}`,
      `l=${shellText(lock)}`,
      `r=${name}`,
      `o=${offset + 1}`,
      `n=${length}`,
      `put_${how}) 2>/dev/null`,
    ].join("; "),
  );
  const total = files.reduce((sum, { length }) => sum + length, 0);
  return [...whole("b", total), ...functions, ...calls, 'rm -f "$b"'];
}
