import { END, hashed, say } from "./scripts.js";

/**
 * Says a code for what failed in the directory `$d`, where the script stands, unless that was removed meanwhile, also if there is
 * another of its name by now: then the whole change begins again.
 */
export const sayUnlessGone = (code: string): string =>
  `{ [ . -ef "$d" ] && echo fs:${code} || echo fs:gone; exit 0; }`;

/** Makes the directory `$d` and goes there, or says what stands in its way. */
export const MAKE_PARENT = [
  'x=$d; while [ ! -e "$x" ] && [ ! -L "$x" ]; do x=${x%/*}; [ -n "$x" ] || x=/; done',
  `[ -d "$x" ] || { [ -e "$x" ] || [ -L "$x" ] || ${say("gone")}; ${say("not-directory")}; }`,
  '[ -d "$d" ] || mkdir -p "$d" 2>/dev/null',
  // What it has made so far may be removed before it is done.
  `cd "$d" 2>/dev/null || ${say("unmade")}`,
  `[ -w . ] || ${say("denied")}`,
];

/** Times that a change is tried where something fails that another call may have removed, or removed and made again. */
const MAX_TRIES = 5;
const TRIED_AGAIN = ["gone", "unmade", "denied", "full"].map((word) => `*fs:${word}`).join("|");

/** Prints what a shell function says in a process of its own, and calls it again where that may be another's doing. */
export const retried = (name: string): string =>
  `{ i=0; while y=$(${name}); case $y in ${TRIED_AGAIN}) [ $i -lt ${MAX_TRIES - 1} ];; *) false;; esac; do i=$((i+1)); done; printf '%s\\n' "$y"; }`;

/** A script that begins again where its directory or its source was removed under it. */
const begunAgain = (lines: readonly string[]): string[] => [
  "attempt() {",
  ...lines,
  `echo ${END}`,
  "}",
  retried("attempt"),
  "exit 0",
];

/** Takes away what a script made on its way, however it is left: its locks, and the file `$t` that did not get its name. */
export const CLEANED = `t=; held=; trap '[ ! -e "$t" ] || rm -f "$t"; [ -z "$held" ] || rmdir $held 2>/dev/null' EXIT`;

/**
 * Takes the locks of the given variables, in that order for everybody, in a script that is {@link CLEANED}. One that is older
 * than a minute was left by a script that was killed.
 */
export function locked(...names: readonly string[]): string[] {
  return [
    "take() {",
    "  n=0",
    // Many wait at times, and each look costs a process: none is started where a shell sees that the lock is taken.
    '  until [ ! -e "$1" ] && mkdir "$1" 2>/dev/null; do',
    // Where no lock can be made at all, waiting for one is of no use.
    `    [ -d "$1" ] || [ -w "\${1%/*}" ] || ${say("denied")}`,
    '    [ $((n%50)) -ne 0 ] || [ -z "$(find "$1" -maxdepth 0 -mmin +1 2>/dev/null)" ] || rmdir "$1" 2>/dev/null',
    `    n=$((n+1)); [ $n -lt 600 ] || ${say("busy")}`,
    "    sleep 0.02 2>/dev/null || sleep 1",
    "  done",
    "}",
    ...names.map((name) => `take "$${name}"; held="$held $${name}"`),
  ];
}

export const SAME_VERSION = `${hashed("p")}; [ "$h" = "$v" ] || ${say("conflict")}`;

/**
 * Refuses what `mv` or `ln` has put into a directory that came to the destination meanwhile, and takes it out: `from` goes back
 * to where it was if it is the caller's own file, and is removed if it is a new one.
 */
export function refuseInto(to: "p" | "q", from: "p" | "t", linked = false): string {
  const inside = `"$${to}/\${${from}##*/}"`;
  const back = from === "p" && !linked ? `mv -f ${inside} "$p"` : `rm -f ${inside}`;
  return `[ ! -d "$${to}" ] || [ ! -e ${inside} ] || { ${back}; ${say("directory")}; }`;
}

/** Gives the new file `$t` the name in a variable, in one step, whatever file has it. */
export function renamed(to: "p" | "q"): string[] {
  return [`mv -f "$t" "$${to}" 2>/dev/null || ${sayUnlessGone("denied")}`, refuseInto(to, "t")];
}

const RMDIR = `rmdir "$p" 2>/dev/null || { [ -d "$p" ] || ${say("missing")}; ${say("directory")}; }`;

/** Removes the empty directory `$p`. Anything but a directory is `missing`. */
export const REMOVE_EMPTY = [`[ -d "$p" ] && [ ! -L "$p" ] || ${say("missing")}`, RMDIR];

/** Removes the file or empty directory `$p`. */
export function removeScript(versioned: boolean): string[] {
  return [
    CLEANED,
    `[ -e "$p" ] || [ -L "$p" ] || ${say("missing")}`,
    `if [ -d "$p" ] && [ ! -L "$p" ]; then ${RMDIR}; echo ${END}; exit 0; fi`,
    ...locked("l"),
    `[ -e "$p" ] || [ -L "$p" ] || ${say("missing")}`,
    ...(versioned ? [SAME_VERSION] : []),
    `rm -f "$p" 2>/dev/null || ${say("denied")}`,
  ];
}

/**
 * Removes the directory `$p` with all below it; says how many files there were. It gets the name `$x` first, so that a change of one
 * of its files is either made before, and removed too, or finds no file. What cannot be removed gets its name back, or one like it
 * where that is taken by now. Where it cannot be renamed, as what is mounted, it is removed in its place.
 */
export const REMOVE_TREE = [
  `[ -d "$p" ] || ${say("missing")}`,
  'find "$p/." -type f 2>/dev/null | wc -l',
  'if mv "$p" "$x" 2>/dev/null; then',
  '  rm -rf "$x" 2>/dev/null',
  `  [ -e "$x" ] || [ -L "$x" ] || { echo ${END}; exit 0; }`,
  '  y=$p; n=0; while [ -e "$y" ] || [ -L "$y" ]; do n=$((n+1)); y=$p-$n; done',
  '  mv "$x" "$y" 2>/dev/null',
  `  ${say("denied")}`,
  "fi",
  'e=$(rm -rf "$p" 2>&1)',
  `[ -z "$e" ] || [ ! -e "$p" ] || ! printf '%s\\n' "$e" | grep -qv ' not empty$' || ${say("denied")}`,
];

const TARGET = [
  'd=${q%/*}; [ -n "$d" ] || d=/',
  `[ -d "$q" ] && ${say("directory")}`,
  ...MAKE_PARENT,
];
const REFUSE_TAKEN = `[ ! -e "$q" ] || ${say("exists")}`;

/** What a move says that changes nothing, and leaves its files to be copied and removed one by one. */
export const DECLINED = "declined";
const DECLINE = `{ echo ${DECLINED}; echo ${END}; exit 0; }`;

/** Declines where the source and the directory of the destination are on two disks: `mv` would copy, and could stop half-way. */
const ON_ONE_DISK = `set -- $(stat -c %d "$p" . 2>/dev/null); [ "$1" = "$2" ] || ${DECLINE}`;

/** Moves the file `$p` to `$q`, under the locks `$l` and `$m` of both, or says that it is {@link DECLINED}. */
export function moveFileScript(overwrite: boolean): string[] {
  return begunAgain([
    CLEANED,
    ...TARGET,
    ...locked("l", "m"),
    `[ -f "$p" ] || ${say("missing")}`,
    ...(overwrite
      ? [
          ON_ONE_DISK,
          `mv -f "$p" "$q" 2>/dev/null || ${sayUnlessGone("denied")}`,
          refuseInto("q", "p"),
        ]
      : [
          REFUSE_TAKEN,
          `ln "$p" "$q" 2>/dev/null || { ${REFUSE_TAKEN}; ${ON_ONE_DISK}; ${sayUnlessGone("denied")}; }`,
          refuseInto("q", "p", true),
          // What may be linked may not always be removed: then the file is where it was, and nowhere else.
          `rm -f "$p" 2>/dev/null || { [ "$q" -ef "$p" ] && rm -f "$q"; ${say("denied")}; }`,
        ]),
  ]);
}

/** Copies the file `$p` to `$q` by way of a file beside it. */
export function copyFileScript(overwrite: boolean): string[] {
  return begunAgain([
    CLEANED,
    `[ -f "$p" ] || ${say("missing")}`,
    ...TARGET,
    ...(overwrite ? [] : [REFUSE_TAKEN]),
    't="$d/$r"',
    `cp "$p" "$t" 2>/dev/null || ${sayUnlessGone("full")}`,
    ...(overwrite
      ? renamed("q")
      : [
          `ln "$t" "$q" 2>/dev/null || { ${REFUSE_TAKEN}; ${sayUnlessGone("denied")}; }`,
          refuseInto("q", "t"),
        ]),
  ]);
}

/**
 * Moves the directory `$p` to `$q`, where nothing stands; says how many files it has, or that it is {@link DECLINED}: also where a
 * file below matches the pattern `$m`, if there is one.
 */
export const MOVE_TREE = begunAgain([
  `[ -d "$p" ] || ${say("missing")}`,
  `if [ -n "$m" ] && [ -n "$(find "$p/." -type f -path "$m" 2>/dev/null | head -n 1)" ]; then ${DECLINE}; fi`,
  ...TARGET,
  REFUSE_TAKEN,
  ON_ONE_DISK,
  'find "$p/." -type f 2>/dev/null | wc -l',
  'i=$(stat -c %i "$p")',
  `mv "$p" "$q" 2>/dev/null || ${sayUnlessGone("denied")}`,
  // A directory that came there meanwhile has it inside.
  "x=$q/${p##*/}",
  `[ "$(stat -c %i "$x" 2>/dev/null)" != "$i" ] || { mv "$x" "$p" 2>/dev/null; ${say("exists")}; }`,
]);
