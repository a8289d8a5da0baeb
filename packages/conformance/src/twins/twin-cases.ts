import type { Case } from "../cases/case.js";
import { uploadsAgainstTwin } from "./batch-against-twin.js";
import { downloadsAgainstTwin } from "./downloads-against-twin.js";
import { globAgainstTwin } from "./glob-against-twin.js";
import { globNamesAgainstTwin } from "./glob-names-against-twin.js";
import { grepAgainstTwin } from "./grep-against-twin.js";
import { writesAgainstTwin } from "./writes-against-twin.js";
import { editsAgainstTwin, windows } from "./texts-against-twin.js";

/** Methods against naive twins of theirs, on generated calls. */
export const twinCases: readonly Case[] = [
  {
    id: "twin/grep-literal",
    rules: ["S8", "S1", "S2", "S3", "S5", "S7"],
    level: "core",
    needs: [],
    patience: 4,
    why: "A search with any options finds what going through the lines one by one finds.",
    hint: "Options meet: a cap with context, a filter with a path that is a file, a case that is ignored.",
    run: (context) => grepAgainstTwin(context, false),
  },
  {
    id: "twin/grep-regex",
    rules: ["S8", "S1", "S2", "S3", "S5", "S7"],
    level: "core",
    needs: ["regex"],
    patience: 4,
    why: "So does a search for a regular expression.",
    hint: "A file's last line ends with its \\n: there is no empty line behind it. ignoreCase, context, cap and filter hold for expressions too.",
    run: (context) => grepAgainstTwin(context, true),
  },
  {
    id: "twin/glob",
    rules: ["G1", "G2"],
    level: "core",
    needs: [],
    patience: 4,
    why: "A pattern matches what trying every way to match it matches.",
    run: globAgainstTwin,
  },
  {
    id: "twin/glob-names",
    rules: ["G1", "P3", "P4"],
    level: "core",
    needs: [],
    patience: 4,
    why: "A pattern made of a name, or nearly of it, matches what trying every way to match it matches.",
    hint: "A head and a tail need as many characters as both; a character is a code point; what is escaped is itself.",
    run: globNamesAgainstTwin,
  },
  {
    id: "twin/read-windows",
    rules: ["R1", "R2", "R3"],
    level: "core",
    needs: [],
    patience: 2,
    why: "Every window of a text is its exact lines, with the numbers that belong to it.",
    hint: "Mind the page that leaves one line, and the one that ends with the file.",
    run: windows,
  },
  {
    id: "twin/edit",
    rules: ["E1", "E2", "E4", "E9"],
    level: "core",
    needs: ["transfer"],
    patience: 3,
    why: "An edit does to a text what the plain definition of an edit does.",
    run: (context) => editsAgainstTwin(context, "edit"),
  },
  {
    id: "twin/multi-edit",
    rules: ["E8", "E1", "E4"],
    level: "core",
    needs: ["transfer", "multiEdit"],
    patience: 3,
    why: "Several edits do one after the other what each alone would, or nothing.",
    run: (context) => editsAgainstTwin(context, "multiEdit"),
  },
  {
    id: "twin/write",
    rules: ["W1", "W3", "W5", "W8", "F2", "F3", "A7"],
    level: "core",
    needs: ["transfer"],
    patience: 3,
    why: "A write of any content over any other, on any condition, stores exactly it, or is refused and leaves what is there.",
    hint: "An empty text is a text: ask whether a file is there, not whether it holds something. A shorter content replaces a longer one whole.",
    run: writesAgainstTwin,
  },
  {
    id: "twin/upload",
    rules: ["T1", "T2", "T3", "A7", "F2", "F3"],
    level: "core",
    needs: ["transfer", "delete", "collisions=refused"],
    patience: 3,
    why: "A batch of files with and without conditions does what each of them alone would, and refuses what each alone would be refused.",
    hint: "A refusal in the middle stops nothing; a content that is the same is no reason to skip a condition.",
    run: uploadsAgainstTwin,
  },
  {
    id: "twin/download",
    rules: ["T1", "T2", "R5", "P2", "A3"],
    level: "core",
    needs: ["transfer", "collisions=refused"],
    patience: 2,
    why: "A batch of files, of what is none and of what is no path answers for each what it alone would answer, in their order.",
    hint: "A refusal ends its own item; a path that comes twice is answered twice.",
    run: downloadsAgainstTwin,
  },
];
