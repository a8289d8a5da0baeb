/** A search that a backend can do as well as the shell's own command. */
export interface Search {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
  /** Print names only. */
  readonly filesOnly: boolean;
  readonly lineNumbers: boolean;
  readonly names: boolean;
  /** As they were written. */
  readonly paths: readonly string[];
}

const LONG: Readonly<Record<string, string>> = {
  "--recursive": "r",
  "--line-number": "n",
  "--ignore-case": "i",
  "--files-with-matches": "l",
  "--no-filename": "h",
  "--with-filename": "H",
  "--fixed-strings": "F",
  "--extended-regexp": "E",
  "--no-messages": "s",
};

const SHORT = { grep: "rRnilhHFEs", rg: "nNilF" } as const;

/** Characters that are no plain text in any dialect of patterns. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/;

/** Characters that mean one thing in basic patterns and another in those of backends. */
const BASIC_DIFFERS = /[\\+?(){}|]|^\*|^\^\*/;

/** Patterns that mean the same in extended patterns, in those of `rg` and in those of backends. */
const PLAIN_ESCAPES = /^(?:[^\\]|\\[bBwWdDsS.^$*+?()[\]{}|\\/-])*$/;

/** The arguments of `grep -r` or `rg` as a search. `undefined`: the command itself has to do it. */
export function searchOf(command: "grep" | "rg", args: readonly string[]): Search | undefined {
  const flags = new Set<string>();
  const operands: string[] = [];
  let onlyOperands = false;
  for (const argument of args) {
    if (onlyOperands || argument === "-" || !argument.startsWith("-")) operands.push(argument);
    else if (argument === "--") onlyOperands = true;
    else {
      const letters = argument.startsWith("--") ? LONG[argument] : argument.slice(1);
      if (letters === undefined) return undefined;
      for (const letter of letters) {
        if (!SHORT[command].includes(letter)) return undefined;
        flags.add(letter);
      }
    }
  }
  const isRecursive = command === "rg" || flags.has("r") || flags.has("R");
  const [pattern = "", ...paths] = operands;
  if (!isRecursive || pattern === "" || pattern.includes("\n") || paths.length === 0)
    return undefined;
  const regex = !flags.has("F") && SPECIAL.test(pattern);
  const isBasic = command === "grep" && !flags.has("E");
  if (regex && (isBasic ? BASIC_DIFFERS.test(pattern) : !PLAIN_ESCAPES.test(pattern)))
    return isBasic && !/[\\^$.*[\]]/.test(pattern)
      ? search(pattern, false, command, flags, paths)
      : undefined;
  return search(pattern, regex, command, flags, paths);
}

function search(
  pattern: string,
  regex: boolean,
  command: "grep" | "rg",
  flags: ReadonlySet<string>,
  paths: readonly string[],
): Search {
  return {
    pattern,
    regex,
    // `rg` of just-bash heeds case once a pattern has a capital.
    ignoreCase: flags.has("i") || (command === "rg" && pattern === pattern.toLowerCase()),
    filesOnly: flags.has("l"),
    lineNumbers: flags.has("n") || (command === "rg" && !flags.has("N")),
    names: !flags.has("h"),
    paths,
  };
}
