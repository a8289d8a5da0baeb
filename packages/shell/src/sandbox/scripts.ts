import { shellText } from "./shell-text.js";

/** Bytes of a file that travel inside a command's answer; more is fetched as a file. */
export const INLINE_BYTES = 48 * 1024;

/** Closes every answer that is whole. An answer without it is a failure, never "nothing found". */
export const END = "fs:end";

/** A script over some texts, each of which it finds in a variable. Ends with {@link END} unless it leaves earlier. */
export function script(
  variables: Readonly<Record<string, string>>,
  ...lines: readonly string[]
): string {
  const assignments = Object.entries(variables).map(
    ([name, value]) => `${name}=${shellText(value)}`,
  );
  return ["LC_ALL=C", "export LC_ALL", "umask 022", ...assignments, ...lines, `echo ${END}`].join(
    "\n",
  );
}

/** Leaves the script with a code that the volume understands. */
const say = (code: string): string => `{ echo fs:${code}; exit 0; }`;

/** Names with a line end cannot be told apart in an answer, and no path can name them. */
const NO_NEWLINE = "! -path '*\n*'";
const STAT = "stat -c '%f %s %Y %n'";

/** Checks once that the tools behave: GNU coreutils and BusyBox do. */
export const PROBE = script(
  {},
  `for tool in find stat grep ln mv cp rm rmdir mkdir head tail wc base64 sha256sum printf; do command -v $tool >/dev/null 2>&1 || ${say("missing-tool")}; done`,
  `[ -n "$(stat -c %f / 2>/dev/null)" ] || ${say("missing-tool")}`,
  `mkdir -p /tmp/.fs-sandbox 2>/dev/null; [ -w /tmp/.fs-sandbox ] || ${say("denied")}`,
);

const REQUIRE_FILE = [
  `[ -d "$p" ] && ${say("directory")}`,
  `[ -e "$p" ] || ${say("missing")}`,
  `[ -f "$p" ] || ${say("denied")}`,
  `[ -r "$p" ] || ${say("denied")}`,
];

/**
 * Time and content of `$p`, the latter as far as it travels inline. Read through one descriptor, so that a file that
 * vanishes or is replaced on the way is either whole or not there.
 */
export const READ = [
  ...REQUIRE_FILE,
  `{ ${STAT} "$p" && head -c ${INLINE_BYTES + 1} <&3 | base64 && echo ${END} && exit 0; } 3<"$p" 2>/dev/null`,
  say("missing"),
];

/** What stands at `$p`. */
export const STAT_PATH = [`[ -e "$p" ] || ${say("missing")}`, `${STAT} "$p"`];

/** The children of `$p`. */
export const LIST = [
  `[ -e "$p" ] || ${say("missing")}`,
  `[ -d "$p" ] || ${say("not-directory")}`,
  `[ -r "$p" ] || ${say("denied")}`,
  `find "$p/." -mindepth 1 -maxdepth 1 \\( -type f -o -type d \\) ${NO_NEWLINE} -exec ${STAT} {} + 2>/dev/null`,
];

/** What the kernel shows of processes and devices is no part of anybody's files, and has no end. */
const PRUNE = `\\( -path "$p/./proc" -o -path "$p/./sys" -o -path "$p/./dev" \\) -prune -o`;
const pruned = (root: boolean): string => (root ? PRUNE : "");

/** Name filters that a command may have. */
export const MAX_NAMES = 16;

/** The files below `$p` whose name fits one of the `count` patterns `$n0`, `$n1` …; all of them for 0. */
export function listDeepScript(root: boolean, count: number): string[] {
  const tests = Array.from({ length: count }, (_, index) => `-name "$n${index}"`);
  const names = count === 0 ? "" : `\\( ${tests.join(" -o ")} \\)`;
  return [
    ...LIST.slice(0, 3),
    `find "$p/." ${pruned(root)} -type f ${names} ${NO_NEWLINE} -exec ${STAT} {} + 2>/dev/null`,
  ];
}

/** The files at or below `$p` that hold the bytes of `$q`. */
export function searchScript(root: boolean): string[] {
  return [
    `[ -e "$p" ] || ${say("missing")}`,
    `if [ -f "$p" ]; then grep -qF -e "$q" -- "$p" 2>/dev/null && echo "$p"`,
    `else find "$p/." ${pruned(root)} -type f ${NO_NEWLINE} -exec grep -lF -e "$q" -- {} + 2>/dev/null; fi`,
  ];
}

/** Lines `$from` to `$to` of `$p` into the file `$t`; says whether more follow, and how many lines there are if none was there. */
export const PAGE = [
  ...REQUIRE_FILE,
  `tail -n "+$from" <"$p" | head -n "$limit" >"$t" || ${say("denied")}`,
  `if [ "$(tail -n "+$after" <"$p" | head -c 1 | wc -c)" -eq 0 ]; then echo "end $(wc -l <"$p") $(tail -c 1 "$p" | wc -l)"; else echo more; fi`,
  `wc -c <"$t"`,
  `[ "$(wc -c <"$t")" -gt ${INLINE_BYTES} ] || { base64 <"$t"; rm -f "$t"; }`,
];

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
function lock(...names: readonly string[]): string[] {
  return [
    "take() {",
    "  n=0",
    '  until mkdir "$1" 2>/dev/null; do',
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

/** The version of a file is the SHA-256 of its bytes: sandboxes have no finer clock in common. */
const SAME_VERSION = `[ "$(sha256sum <"$p" 2>/dev/null | cut -c 1-64)" = "$v" ] || ${say("conflict")}`;

/** Puts the staged file `$s` at `$p` in one step. `how` is what must be true of what stands there. */
export function putScript(how: "absent" | "version" | "any"): string[] {
  const publish = {
    absent: [
      `[ -e "$p" ] && { rm -f "$t"; ${say("exists")}; }`,
      `ln "$t" "$p" 2>/dev/null || { rm -f "$t"; if [ -e "$p" ]; then ${say("exists")}; else ${say("denied")}; fi; }`,
      'rm -f "$t"',
    ],
    version: [
      ...lock("l"),
      `if [ ! -f "$p" ] || [ "$(sha256sum <"$p" | cut -c 1-64)" != "$v" ]; then rm -f "$t"; ${say("conflict")}; fi`,
      `mv -f "$t" "$p" || ${say("denied")}`,
    ],
    any: [...lock("l"), `mv -f "$t" "$p" || ${say("denied")}`],
  }[how];
  return [
    '[ -L "$p" ] && [ -e "$p" ] && p=$(readlink -f "$p")',
    'd=${p%/*}; [ -n "$d" ] || d=/',
    `[ -d "$p" ] && ${say("directory")}`,
    ...MAKE_PARENT,
    't="$d/.fs-$r"',
    `cp "$s" "$t" 2>/dev/null || { rm -f "$t" "$s"; ${say("full")}; }`,
    'rm -f "$s"',
    '[ -f "$p" ] && chmod "$(stat -c %a "$p")" "$t"',
    ...publish,
  ];
}

/** Removes the file or empty directory `$p`. */
export function removeScript(versioned: boolean): string[] {
  return [
    `[ -e "$p" ] || [ -L "$p" ] || ${say("missing")}`,
    `if [ -d "$p" ] && [ ! -L "$p" ]; then rmdir "$p" 2>/dev/null || ${say("directory")}; echo ${END}; exit 0; fi`,
    ...lock("l"),
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
    ...lock("l", "m"),
    `[ -f "$p" ] || ${say("missing")}`,
    ...(overwrite
      ? [`mv -f "$p" "$q" 2>/dev/null || ${say("denied")}`]
      : [
          REFUSE_TAKEN,
          `ln "$p" "$q" 2>/dev/null || { ${REFUSE_TAKEN}; ${say("denied")}; }`,
          'rm -f "$p"',
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

/** Moves the directory `$p` to `$q`, where nothing stands; says how many files it has. */
export const MOVE_TREE = [
  `[ -d "$p" ] || ${say("missing")}`,
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
  /** Where its bytes are in the staged blob. */
  readonly offset: number;
  readonly length: number;
}

/**
 * Puts many files whose bytes stand one after another in the staged file `$b`, each in one step. Says one word for each, in
 * order: the end mark, or what was in its way.
 */
export function putManyScript(files: readonly BatchFile[]): string[] {
  const calls = files.map(({ host, lock, name, offset, length }) =>
    [
      `(p=${shellText(host)}`,
      `l=${shellText(lock)}`,
      `r=${name}`,
      `s="$b.$r"`,
      `tail -c +${offset + 1} "$b" | head -c ${length} >"$s"`,
      "put) 2>/dev/null",
    ].join("; "),
  );
  return ["put() {", ...putScript("any"), `echo ${END}`, "}", ...calls, 'rm -f "$b"'];
}
