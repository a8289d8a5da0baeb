import { shellText } from "./shell-text.js";
import { STAGING } from "./temporary.js";

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
export const say = (code: string): string => `{ echo fs:${code}; exit 0; }`;

/** Names with a line end cannot be told apart in an answer, and no path can name them. */
const NO_NEWLINE = "! -path '*\n*'";
const STAT = "stat -c '%f %s %Y %n'";
const STAT_OPENED = `stat -L -c '%f %s %Y -' "$f"`;

/** What is at the path in a variable, if anything. */
export const statOf = (variable: string): string =>
  `[ ! -e "$${variable}" ] || ${STAT} "$${variable}"`;

/**
 * Checks once that the tools behave: GNU coreutils and BusyBox do. Removes what waits in the staging folder for more than an
 * hour: its command was killed, or its caller went away before there was one.
 */
export const PROBE = script(
  {},
  `for tool in find stat grep ln mv cp rm rmdir mkdir head tail wc base64 sha256sum printf; do command -v $tool >/dev/null 2>&1 || ${say("missing-tool")}; done`,
  `[ -n "$(stat -c %f / 2>/dev/null)" ] || ${say("missing-tool")}`,
  `mkdir -p ${STAGING} 2>/dev/null; [ -w ${STAGING} ] || ${say("denied")}`,
  `find ${STAGING} -maxdepth 1 -type f -name '.fs-sandbox-*' -mmin +60 -exec rm -f {} + 2>/dev/null`,
);

/**
 * Sets `$h` to the version of the file in a variable: the SHA-256 of its bytes, since sandboxes have no finer clock in common. Nothing
 * where it cannot be read. Errors are sent away before the file is opened: the shell's own complaint would be a line of the answer.
 */
export const hashed = (variable: "p" | "f"): string =>
  `h=$(sha256sum 2>/dev/null <"$${variable}"); h=\${h%% *}`;

/**
 * Runs commands that all look at one file as `$f`, whatever others store at `$p` meanwhile, and closes the answer. Comes back
 * where `$p` cannot be opened. Without `/proc` a tool opens `$p` again.
 */
const onOneFile = (...commands: readonly string[]): string =>
  [
    '{ f=/proc/self/fd/3; [ -e "$f" ] || f=$p',
    ...commands,
    `echo ${END}; exit 0; } 2>/dev/null 3<"$p"`,
  ].join("\n");

const REQUIRE_FILE = [
  `[ -d "$p" ] && ${say("directory")}`,
  // Seen last whether it is there: what is removed between two looks is missing.
  `[ -f "$p" ] && [ -r "$p" ] || { [ -e "$p" ] || ${say("missing")}; ${say("denied")}; }`,
];

/** Time and content of `$p`, the latter as far as it travels inline. */
export const READ = [
  ...REQUIRE_FILE,
  onOneFile(
    `${STAT_OPENED} || ${say("missing")}`,
    // Without the end mark what came of it is no answer.
    `head -c ${INLINE_BYTES + 1} <&3 | base64 || exit 0`,
  ),
  say("missing"),
];

const STAT_SAME = `stat -L -c '%s %Y %i %f'`;

/**
 * The files that are the parameters, one after another in the file `$t`, or inline where they are few bytes. Says the state of
 * each before and after, so that one that changed meanwhile is seen; leaves at once when one is no readable file.
 */
export const BATCH_READ = [
  `s=$(${STAT_SAME} "$@" 2>/dev/null) || ${say("missing")}`,
  `if printf '%s\n' "$s" | grep -qv ' 8[0-9a-f]*$'; then ${say("missing")}; fi`,
  `n=0; for x in $(printf '%s\n' "$s" | cut -d ' ' -f 1); do n=$((n+x)); done`,
  `[ $n -le "$max" ] || ${say("too-large")}`,
  `cat "$@" >"$t" 2>/dev/null || { rm -f "$t"; ${say("missing")}; }`,
  `printf '%s\n' "$s"; ${STAT_SAME} "$@" 2>/dev/null`,
  `[ $n -gt ${INLINE_BYTES} ] || { base64 <"$t"; rm -f "$t"; }`,
];

/** What is at `$p`, and the version of a file. */
export const STAT_PATH = [
  `[ -e "$p" ] || ${say("missing")}`,
  `[ ! -f "$p" ] || ${onOneFile(STAT_OPENED, `${hashed("f")}; [ -z "$h" ] || echo "$h"`)}`,
  // Also of what may not be opened.
  `${STAT} "$p"`,
];

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

/**
 * The files at or below `$p` that hold the bytes of `$q`. `find` puts names in place of every `{}` of its own arguments, so that
 * the bytes reach `grep` another way.
 */
export function searchScript(root: boolean): string[] {
  return [
    `[ -e "$p" ] || ${say("missing")}`,
    `if [ -f "$p" ]; then grep -qF -e "$q" -- "$p" 2>/dev/null && echo "$p"`,
    `else export q; find "$p/." ${pruned(root)} -type f ${NO_NEWLINE} -exec sh -c 'grep -lF -e "$q" -- "$@"' sh {} + 2>/dev/null; fi`,
  ];
}

/**
 * Lines `$from` to `$to` of `$p` into the file `$t`; says the file's version, whether more lines follow, and how many there are
 * if none was there. The version comes first: where a tool opens the file again it is then the older one, which no change is made on.
 */
export const PAGE = [
  ...REQUIRE_FILE,
  onOneFile(
    `${hashed("f")}; [ -n "$h" ] || ${say("missing")}`,
    'echo "$h"',
    `tail -n "+$from" <"$f" | head -n "$limit" >"$t" || { rm -f "$t"; ${say("denied")}; }`,
    `if [ "$(tail -n "+$after" <"$f" | head -c 1 | wc -c)" -eq 0 ]; then echo "end $(wc -l <"$f") $(tail -c 1 <"$f" | wc -l)"; else echo more; fi`,
    `wc -c <"$t"`,
    `[ "$(wc -c <"$t")" -gt ${INLINE_BYTES} ] || { base64 <"$t"; rm -f "$t"; }`,
    `[ -e "$f" ] || { rm -f "$t"; ${say("missing")}; }`,
  ),
  say("missing"),
];
