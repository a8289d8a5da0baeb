import type { CaseContext } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

/** What a name may hold that a storage, an address or a program writes in another way: all of ASCII but letters, digits and the slash. */
const CHARACTERS = range(0x7f - 0x20)
  .map((n) => String.fromCodePoint(n + 0x20))
  .filter((character) => !/[A-Za-z0-9/]/.test(character));

/** The ways in which it is written then, each of which is a name of its own. */
const ENCODINGS: ReadonlyArray<(character: string, hex: string) => string> = [
  (character) => character,
  (_, hex) => `%${hex.toUpperCase()}`,
  (_, hex) => `%${hex}`,
  (_, hex) => `=${hex.toUpperCase()}`,
  (_, hex) => `_${hex}`,
  (_, hex) => `_x00${hex}_`,
  (_, hex) => `\\x${hex}`,
  (_, hex) => `\\u00${hex}`,
  (_, hex) => `&#${Number.parseInt(hex, 16)};`,
  (_, hex) => `%25${hex}`,
  (character) => `\\${character}`,
  (character) => character + character,
  (character) => `'${character}'`,
  () => "",
  () => "_",
  () => "-",
  () => "\ufffd",
  // As Windows' file systems keep what they cannot.
  (character) => String.fromCodePoint(0xf000 + (character.codePointAt(0) ?? 0)),
  (character) => String.fromCodePoint(0xff00 + (character.codePointAt(0) ?? 0) - 0x20),
];

/** Those of the slash as well, but for what it divides. */
const NAMES = [
  ...new Set(
    [...CHARACTERS, "/"].flatMap((character) => {
      const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(2, "0");
      return ENCODINGS.map((encode) => `a${encode(character, hex)}b`);
    }),
  ),
].filter((name) => !name.includes("/"));

/** P3, P4: whatever a storage writes for a character is a name as well, and another one. */
async function encoded(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = sortedPaths(NAMES.map((name) => `/d/${name}`));
  const files = Object.fromEntries(paths.map((path) => [path, `hit ${path}\n`]));
  await context.given(files);
  await context.holds(files, backend, "P4");
  const views = [
    ["ls lists", (await backend.ls("/d")).files, "L1"],
    ["glob finds", (await backend.glob("*", "/d")).files, "G1"],
    ["grep finds", (await backend.grep("hit", "/d")).matches, "S1"],
  ] as const;
  for (const [what, found, rule] of views) {
    const names: readonly string[] = found?.map(({ path }) => path) ?? [];
    check.equal(
      [
        paths.filter((path) => !names.includes(path)),
        names.filter((path) => !paths.includes(path)),
      ],
      [[], []],
      `What ${what} too little, and too much,`,
      rule,
    );
    check.equal(names.length, paths.length, `How many files ${what}`, rule);
  }
}

/** Names, each of which is how another one may be written. */
export const encodedNameCases: readonly Case[] = [
  {
    id: "path/encoded-names",
    rules: ["P3", "P4", "L1", "G1", "S1"],
    level: "core",
    needs: ["transfer", "names.caseSensitive", "names.unicode=preserve"],
    patience: 3,
    why: "What a storage writes for a character that it cannot keep is a name as well, and names another file.",
    hint: "Encode the character that an encoding begins with as well.",
    run: encoded,
  },
];
