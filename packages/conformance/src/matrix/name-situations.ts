import { holding, resembled, type Situation } from "./situation.js";

const DEEP = `${"/deep".repeat(80)}/a.txt`;

/** What the file is called, and what resembles that. */
export const NAME_SITUATIONS: readonly Situation[] = [
  holding("hidden", ["L4", "G1", "S3"], "one\ntwo\n", "A name that begins with a dot.", "/.d/.a"),
  holding("spaces", ["P3"], "one\ntwo\n", "Spaces within and around a name.", "/ d / a b .txt "),
  holding("patterns", ["P3"], "one\ntwo\n", "Characters of patterns.", "/[d]{x,y}/*?a!.txt"),
  holding(
    "escapes",
    ["P3"],
    "one\ntwo\n",
    "Characters of escapes.",
    "/%2e%2f%2F%20+/'\"\\$&#;`.txt",
  ),
  holding("prototype", ["P3"], "one\ntwo\n", "Names of every object.", "/constructor/__proto__"),
  holding("dots", ["P3"], "one\ntwo\n", "Dots within a name.", "/..d/d./.../a..b."),
  holding("only-dots", ["P3"], "one\ntwo\n", "A name of three dots.", "/d/..."),
  holding(
    "punctuation",
    ["P3"],
    "one\ntwo\n",
    "Every other mark there is.",
    "/-d:e~/~f/-a:b|c<d>e+f=g,h@i^j(k)_~.txt",
  ),
  holding("emoji", ["P4"], "one\ntwo\n", "A name of other characters.", "/é/😀e\u0301.txt"),
  holding("deep", ["W2"], "one\ntwo\n", "Eighty directories within each other.", DEEP),
  resembled(
    "resembled",
    "/d/a b.txt",
    [
      "/d/a%20b.txt",
      "/d/a+b.txt",
      "/d/ab.txt",
      "/d/a_b.txt",
      "/d/a-b.txt",
      "/d/a b.txt ",
      "/d/ a b.txt",
      "/d/a\u00a0b.txt",
      "/d/a b.txt.",
      "/d/a  b.txt",
      "/a b.txt",
      "/d/a b",
      "/d/a b.tx",
      "/d/a b.txt~",
      "/d/a b.txt.tmp",
      "/d/.a b.txt",
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
];
