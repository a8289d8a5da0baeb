import { range } from "../races/race.js";

/** What a call of the matrix meets at its path: a column of the matrix. */
export interface Situation {
  readonly id: string;
  /** Rules that the column checks, beside those of the method. */
  readonly rules: readonly [string, ...string[]];
  /** The path as it is passed. */
  readonly path: string;
  /** The same path in canonical form, where it differs. */
  readonly canonical?: string;
  readonly given: Readonly<Record<string, string | Uint8Array>>;
  readonly needs?: readonly string[];
  /** Needs of methods that store at the path. */
  readonly needsToStore?: readonly string[];
  /** True where only methods on files refuse: a trailing slash. */
  readonly trailingSlash?: boolean;
  /** True where it is the name that matters: methods that create meet it also where nothing has that name yet. */
  readonly named?: boolean;
  readonly why: string;
}

/** Files beside the subject, whose names begin like it: nothing may happen to them. */
const NEIGHBOURS = {
  "/d/a.txt.bak": "neighbour one\n",
  "/d/a": "neighbour two\n",
  "/da.txt": "neighbour three\n",
};

function holding(
  id: string,
  rules: readonly [string, ...string[]],
  content: string | Uint8Array,
  why: string,
  path = "/d/a.txt",
): Situation {
  const needs = typeof content === "string" ? {} : { needs: ["transfer", "content=bytes"] };
  const named = path === "/d/a.txt" ? {} : { named: true };
  return { id, rules, path, given: { [path]: content, ...NEIGHBOURS }, why, ...needs, ...named };
}

/** Nothing has the name of the path, but others have names that careless code takes for it. */
function resembled(
  id: string,
  path: string,
  others: readonly string[],
  why: string,
  needs: readonly string[] = [],
): Situation {
  const given = Object.fromEntries(others.map((other, n) => [other, `one\nother ${n}\n`]));
  return { id, rules: ["P4", "P3"], path, given, why, needs };
}

const DEEP = `${"/deep".repeat(80)}/a.txt`;

/** A path of exactly `bytes` bytes, of segments of at most 255. */
export function pathOfBytes(bytes: number): string {
  let path = "";
  while (bytes - path.length > 256)
    path += `/${"p".repeat(Math.min(255, bytes - path.length - 3))}`;
  return `${path}/${"f".repeat(bytes - path.length - 1)}`;
}

/** What the content of the file, its name and its place may be. */
export const SITUATIONS: readonly Situation[] = [
  holding("text", ["A7"], "one\ntwo\nthree\n", "A text file of several lines."),
  holding("crlf", ["E4"], "one\r\ntwo\r\n\r\none more\r\n", "Line ends of two characters."),
  holding("mixed-ends", ["E4"], "one\ntwo\r\nthree\rfour\n\r\n", "Line ends of both kinds."),
  holding("no-final-newline", ["R2"], "one\ntwo", "Text after the last line end."),
  holding("byte-order-mark", ["R10"], "\ufeffone\ntwo\n", "A byte order mark is content."),
  holding("empty", ["R3"], "", "A file without a byte."),
  holding("blank", ["R1"], " \n\t\n\n", "A file of white space."),
  holding("unicode", ["W3"], "é😀 e\u0301 \u2028 日本\nzwei\n", "Characters of up to four bytes."),
  holding("dollars", ["E2"], "$& $1 $$ $`\n$'\n", "Replacement patterns."),
  holding("nul", ["R7"], Uint8Array.of(97, 10, 0, 98, 10), "A NUL byte makes a file binary."),
  holding(
    "invalid-utf8",
    ["R7"],
    Uint8Array.of(97, 10, 0xc3, 0x28, 10),
    "So does what is no UTF-8.",
  ),
  holding("binary", ["R6"], Uint8Array.from(range(256)), "Every byte there is.", "/d/a.bin"),
  holding(
    "media",
    ["R7"],
    "one\ntwo\n",
    "The extension of a picture makes a file binary, whatever it holds.",
    "/d/a.png",
  ),
  holding("media-capitals", ["R7", "R8"], "one\ntwo\n", "So do its capitals.", "/d/a.JPG"),
  holding("media-empty", ["R7", "R6"], "", "So it does where the file is empty.", "/d/e.gif"),
  holding(
    "drawing",
    ["R8", "S3"],
    "one\n<svg/>\n",
    "One kind of picture is text like any other.",
    "/d/a.svg",
  ),
  holding(
    "other-separators",
    ["R2", "S1"],
    "one\ftwo\vthree\u001cfour\u001dfive\u001esix\u0085seven\u2028eight\u2029nine\rten\ntwo\n",
    "Characters at which other software ends a line.",
  ),
  holding(
    "nul-late",
    ["R7", "S3"],
    `${"one\n".repeat(2500)}\u0000\n`,
    "A NUL behind ten thousand characters of text.",
  ),
  holding(
    "cut-off-utf8",
    ["R7", "S3"],
    Uint8Array.of(97, 10, 98, 10, 0xe2, 0x82),
    "A character that the file ends within.",
  ),
  holding("hidden", ["L4", "G1", "S3"], "one\ntwo\n", "A name that begins with a dot.", "/.d/.a"),
  holding(
    "long-line",
    ["R1", "W3"],
    `${"x".repeat(70_000)}end\ntwo\n`,
    "A line of 70,000 characters.",
  ),
  holding(
    "many-lines",
    ["R1"],
    range(2100)
      .map((n) => (n % 4 === 0 ? "one\n" : `line ${n}${n % 5 === 1 ? "\r" : ""}\n`))
      .join(""),
    "More lines than four pages, with many occurrences.",
  ),
  holding("spaces", ["P3"], "one\ntwo\n", "Spaces within and around a name.", "/ d / a b .txt "),
  holding("patterns", ["P3"], "one\ntwo\n", "Characters of patterns.", "/[d]{x,y}/*?a!.txt"),
  holding("escapes", ["P3"], "one\ntwo\n", "Characters of escapes.", "/%2e%2f/'\"\\$&#;`.txt"),
  holding("prototype", ["P3"], "one\ntwo\n", "Names of every object.", "/constructor/__proto__"),
  holding("dots", ["P3"], "one\ntwo\n", "Dots within a name.", "/..d/.../a..b..."),
  holding("only-dots", ["P3"], "one\ntwo\n", "A name of three dots.", "/d/..."),
  holding(
    "punctuation",
    ["P3"],
    "one\ntwo\n",
    "Every other mark there is.",
    "/-d:e~/-a:b|c<d>e+f=g,h@i^j(k)_~.txt",
  ),
  holding("emoji", ["P4"], "one\ntwo\n", "A name of other characters.", "/é/😀e\u0301.txt"),
  holding("deep", ["W2"], "one\ntwo\n", "Eighty directories within each other.", DEEP),
  {
    id: "siblings",
    rules: ["P4"],
    path: "/d/a",
    given: {
      "/d/a/x.txt": "one\n",
      "/d/ab/x.txt": "one\n",
      "/d/a.txt": "one\n",
      "/d/a-/x": "one\n",
    },
    needsToStore: ["collisions=refused"],
    why: "A directory beside names that begin like it.",
  },
  {
    id: "directory",
    rules: ["R5", "W2", "A6"],
    path: "/d/sub",
    given: {
      "/d/sub/b.txt": "one\n",
      "/d/sub/e/c.txt": "one\ntwo\n",
      "/d/sub/e/f/g/empty": "",
      "/d/sub/.h": "one\n",
      "/d/sub/.k/.l/m.txt": "one\n",
      "/d/sub/n\u00e9/nul": "one\u0000\n",
      "/d/sub/picture.png": "one\n",
      "/d/sub/a b/%41[x]{y,z}*?.txt": "one\n",
      "/d/sub/constructor": "\ufeffone\r\n",
      "/d/sub/-e\u0301😀~$&'\"\\:;": "one\n",
      "/d/sub-": "one\n",
      "/d/f": "",
    },
    needsToStore: ["collisions=refused"],
    why: "A directory with directories below it, and files of every kind.",
  },
  {
    id: "only-child",
    rules: ["D2", "L1"],
    path: "/d/sub/only/a.txt",
    given: { "/d/sub/only/a.txt": "one\n", "/d/sub/b.txt": "one\n", "/f": "one\n" },
    why: "The only file of its directory, which is not the only entry of its own.",
  },
  {
    id: "missing-written-as-directory",
    rules: ["P1", "P2"],
    path: "/d/none/",
    canonical: "/d/none",
    given: { "/d/none.txt": "one\n", "/d/f": "" },
    trailingSlash: true,
    why: "Nothing is there, and a trailing slash does not make it a directory.",
  },
  resembled(
    "resembled",
    "/d/a b.txt",
    [
      ..."/d/a%20b.txt /d/a+b.txt /d/ab.txt /d/a_b.txt /d/a-b.txt".split(" "),
      ...[
        "/d/a b.txt ",
        "/d/ a b.txt",
        "/d/a\u00a0b.txt",
        "/d/a b.txt.",
        "/d/a  b.txt",
        "/a b.txt",
      ],
      ...["/d/a b", "/d/a b.tx", "/d/a b.txt~", "/d/a b.txt.tmp", "/d/.a b.txt"],
    ],
    "Names that are the path, once decoded, trimmed or cleaned.",
  ),
  resembled(
    "resembled-by-escapes",
    "/d/%41\\x.txt",
    ["/d/A\\x.txt", "/d/%41/x.txt", "/d/%2541\\x.txt", "/d/%41\\\\x.txt", "/d/%41x.txt"],
    "Names that are the path, once an escape is undone or made.",
  ),
  resembled(
    "resembled-by-case",
    "/d/Straße.TXT",
    ["/d/straße.txt", "/D/Straße.TXT", "/d/STRASSE.TXT", "/d/Strasse.TXT", "/d/Straße.txt"],
    "Names that are the path in another case.",
    ["names.caseSensitive", "names.unicode=preserve"],
  ),
  resembled(
    "resembled-composed",
    "/d/\u00e9\u212b.txt",
    ["/d/e\u0301\u212b.txt", "/d/\u00e9\u00c5.txt", "/d/e\u0301A\u030a.txt", "/d/e.txt"],
    "Names that are the path in another form of Unicode.",
    ["names.unicode=preserve"],
  ),
  resembled(
    "resembled-decomposed",
    "/d/e\u0301\ufb01.txt",
    ["/d/\u00e9\ufb01.txt", "/d/e\u0301fi.txt", "/d/\u00e9fi.txt"],
    "The same, the other way round.",
    ["names.unicode=preserve"],
  ),
  {
    id: "directory-written-as-one",
    rules: ["P1", "P2"],
    path: "/d/sub/",
    canonical: "/d/sub",
    given: { "/d/sub/b.txt": "one\n", "/d/f": "" },
    trailingSlash: true,
    needsToStore: ["collisions=refused"],
    why: "A trailing slash is allowed where a directory may be named.",
  },
  {
    id: "file-written-as-directory",
    rules: ["P2"],
    path: "/d/a.txt/",
    canonical: "/d/a.txt",
    given: { "/d/a.txt": "one\n", "/d/f": "" },
    trailingSlash: true,
    why: "A trailing slash on a file operation is refused.",
  },
  {
    id: "below-a-file",
    rules: ["R5", "W2"],
    path: "/d/a.txt/b.txt",
    given: { "/d/a.txt": "one\n", "/d/f": "" },
    needsToStore: ["collisions=refused"],
    why: "A path below a file.",
  },
  {
    id: "deep-below-a-file",
    rules: ["R5", "W2"],
    path: "/d/a.txt/b/c.txt",
    given: { "/d/a.txt": "", "/d/f": "" },
    needsToStore: ["collisions=refused"],
    why: "A path further below a file, which is empty.",
  },
  {
    id: "missing",
    rules: ["A10", "A6"],
    path: "/d/missing.txt",
    given: { "/d/a.txt": "one\n", "/d/missing.txt.bak": "one\n", "/d/missing": "one\n" },
    why: "Nothing is there, though the directory is.",
  },
  {
    id: "missing-directory",
    rules: ["A10"],
    path: "/no/such/file.txt",
    given: { "/no/sucha/file.txt": "one\n", "/such/file.txt": "one\n" },
    why: "Neither the file nor its directory is there.",
  },
  {
    id: "root",
    rules: ["P5", "D1"],
    path: "/",
    given: { "/d/a.txt": "one\n", "/b": "one\n" },
    needsToStore: ["collisions=refused"],
    why: "The root always exists and is a directory.",
  },
  {
    id: "as-written",
    rules: ["P1", "A3"],
    path: "//d/.//a.txt",
    canonical: "/d/a.txt",
    given: { "/d/a.txt": "one\ntwo\n", ...NEIGHBOURS },
    named: true,
    why: "Double slashes and dot segments collapse, in every method.",
  },
  {
    id: "segment-limit",
    rules: ["P2"],
    path: `/d/${"s".repeat(251)}.txt`,
    given: { [`/d/${"s".repeat(251)}.txt`]: "one\ntwo\n", "/d/s": "one\n" },
    named: true,
    why: "A segment of exactly 255 bytes.",
  },
  {
    id: "path-limit",
    rules: ["P2"],
    path: pathOfBytes(4096),
    given: { [pathOfBytes(4096)]: "one\ntwo\n", "/d/f": "one\n" },
    needs: ["limits.pathBytes=4096"],
    named: true,
    why: "A path of exactly 4,096 bytes.",
  },
];

/** The situations of methods that create: the same names, where nothing has them yet. */
export const NEW_SITUATIONS: readonly Situation[] = SITUATIONS.filter(
  ({ named }) => named === true,
).map((situation) => {
  const subject = situation.canonical ?? situation.path;
  const beside = Object.entries(situation.given).filter(([path]) => path !== subject);
  return {
    ...situation,
    id: `${situation.id}-new`,
    given: { "/d/beside.txt": "one\n", ...Object.fromEntries(beside) },
    why: `${situation.why} Nothing is there yet.`,
  };
});
