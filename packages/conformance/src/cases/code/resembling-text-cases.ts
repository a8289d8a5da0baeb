import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";

/** Texts that begin as files of some format do. */
const TEXTS: readonly string[] = [
  "BM25 is a ranking function.\n",
  "%PDF-1.4 is how such a file begins.\n",
  "%!PS-Adobe\n",
  "GIF89a is the newer one.\n",
  "PK stands for Phil Katz.\n",
  "PK\u0003\u0004 with its control characters\n",
  "MZ are initials.\n",
  "ID3 tags\n",
  "RIFF....WAVEfmt \n",
  "OggS\n",
  "fLaC\n",
  "Rar!\u001a\u0007\n",
  "BZh91AY&SY\n",
  "II*\nMM\n",
  "8BPS\n",
  "wOFF\nOTTO\n",
  "ftypmp42\n",
  "    ftypisom\n",
  "SQLite format 3\n",
  "glTF\n",
  "\u007fELF\n",
  "<?xml version='1.0'?><svg/>\n",
  "{\\rtf1 text}\n",
  "#!/bin/sh\n",
  "!<arch>\n",
  "-----BEGIN CERTIFICATE-----\nAAAA\n",
  "data:image/png;base64,iVBORw0KGgo=\n",
  "iVBORw0KGgoAAAANSUhEUg==\n",
  "/9j/4AAQSkZJRg==\n",
  "\u0089PNG\n",
  "ÿØÿà\n",
];

/** R7: what is no media file by its name is text if its bytes are. */
async function textsLikeFormats(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const files = Object.fromEntries(
    TEXTS.flatMap((text, n) => [
      [`/f/${n}.md`, text],
      [`/f/${n}`, text],
    ]),
  );
  await context.given(files);
  for (const [path, text] of Object.entries(files)) {
    const what = `of a text that begins with ${JSON.stringify(text.slice(0, 8))}`;
    const page = await backend.read(path);
    check.equal(page.content, text, `What read gives ${what}`, "R7");
    const { data } = await backend.readRaw(path);
    check.equal(data?.content, text, `What readRaw gives ${what}`, "R9");
    const edited = await backend.edit(path, text, `${text}hit\n`);
    check.succeeded(edited, `edit ${what}`, "E6");
  }
  const found = await backend.grep("hit", "/f");
  check.equal(found.matches?.length, Object.keys(files).length, "The texts that grep finds", "S3");
}

/** E5, A6: the lines that a refusal shows are the file's own, also where they hold a path as the call means it. */
async function shownLines(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const line = "see '/d/a.txt' and /d/a.txt for more of this";
  await context.given({ "/d/a.txt": `one\n${line}\ntwo\n` });
  for (const path of ["/d/a.txt", "/d//a.txt", "//d/./a.txt"]) {
    const what = `edit of ${path}, of almost a line that names it,`;
    const answer = await backend.edit(path, line.replace("more", "most"), "x");
    check.failed(answer, "no_match", what, "E5");
    check.that(
      String(answer.error).includes(line),
      `The error of ${what} should show the line ${JSON.stringify(line)}, but it says ${JSON.stringify(answer.error)}.`,
      "E5",
    );
  }
}

/** Texts that resemble something else. */
export const resemblingTextCases: readonly Case[] = [
  {
    id: "encoding/texts-like-formats",
    rules: ["R7", "R9", "E6", "S3"],
    level: "core",
    needs: [],
    why: "A text is text whatever it begins with.",
    hint: "Whether bytes are text is told by NUL and by UTF-8, not by the numbers that formats begin with.",
    run: textsLikeFormats,
  },
  {
    id: "edit/shown-lines-as-they-are",
    rules: ["E5", "A6"],
    level: "core",
    needs: [],
    why: "The lines that a refusal shows are those of the file, letter by letter: they can be copied into the next edit.",
    hint: "Put the caller's spelling of a path into the sentence, not into the lines behind it.",
    run: shownLines,
  },
];
