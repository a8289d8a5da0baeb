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
];
