import type { CaseContext } from "../../engine/case-context.js";
import { MEDIA_EXTENSIONS } from "../../model/media-names.js";
import type { Case } from "../case.js";

/** Names whose extension makes some software format, convert, check or hide what is in them. */
const NAMES =
  "a.bat a.cmd a.ps1 a.json b.jsonc a.jsonl a.xml a.html a.htm a.css a.csv a.tsv a.md a.markdown a.yml a.yaml a.toml a.ini a.cfg a.conf a.env .env .editorconfig .gitattributes Makefile Dockerfile a.js a.mjs a.cjs a.ts a.mts a.cts a.tsx a.jsx a.d.ts a.vue a.kt a.dart a.rs a.lua a.pl a.pm a.mod a.m a.s a.dts a.es a.py a.rb a.php a.go a.c a.h a.java a.sh a.sql a.log a.txt a.rtf a.tex a.srt a.vtt a.eml a.ics a.vcf a.svg a.pem a.key a.lock a.patch a.diff a.ipynb a.map a.bin a.dat a.unknown a. a".split(
    " ",
  );

/** A text that is damaged when it is formatted, trimmed, decoded or converted. */
const TEXT =
  '\ufeff{ "b" : 1.0,\t"a":"\\u00e9 &amp; %41 QUJD" } \r\n\r\n  <b>x</b>  \n# e\u0301\u00e9\u00a0\ufb01 $& `x`\t\n\u001a;,"a""b"\r\n\n\n last ';

/** W3, R7: a text is kept byte for byte, whatever its name. */
async function everyExtension(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const files: Record<string, string> = {};
  for (const name of NAMES) {
    const path = `/n/${name}`;
    check.succeeded(await backend.write(path, TEXT), `write of ${path}`, "W3");
    files[path] = TEXT;
  }
  for (const path of Object.keys(files)) {
    const read = await backend.read(path);
    check.equal(read.content, TEXT, `What read gives of ${path}`, "R7");
    check.that(
      typeof read.mimeType === "string" &&
        !/^(?:video|audio|application\/octet-stream)/.test(read.mimeType),
      `${path} is text, and its type ${JSON.stringify(read.mimeType)} is not.`,
      "R8",
    );
    const { data } = await backend.readRaw(path);
    check.equal(data?.content, TEXT, `What readRaw gives of ${path}`, "R9");
    check.equal(data?.mimeType, read.mimeType, `The type that readRaw gives of ${path}`, "R8");
  }
  await context.holds(files, backend, "W3");
  const edited = TEXT.replace("last", "last\nlast");
  for (const path of Object.keys(files)) {
    const answer = await backend.edit(path, "last", "last\nlast");
    check.succeeded(answer, `edit of ${path}`, "E6");
    files[path] = edited;
  }
  await context.holds(files, backend, "E2");
  const found = (await backend.grep("QUJD", "/n")).matches?.length;
  check.equal(found, NAMES.length, "The number of files that grep finds", "S3");
  if (!profile.transfer) return;
  const bytes = new TextEncoder().encode(TEXT);
  const uploads = Object.keys(files).map((path): [string, Uint8Array] => [path, bytes]);
  const failed = (await backend.uploadFiles(uploads)).filter(({ error }) => error !== null);
  check.equal(failed, [], "The uploads that failed", "T1");
  await context.holds(Object.fromEntries(uploads), backend, "T1");
}

/** R7: the media extensions make a file binary, in every method and in any case. */
async function everyMediaExtension(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const text = "plain text\nof two lines\n";
  const bytes = new TextEncoder().encode(text);
  const names = MEDIA_EXTENSIONS.flatMap((name) => [
    `/m/a.${name}`,
    `/m/b.c.${name.toUpperCase()}`,
  ]);
  for (const path of names) {
    check.succeeded(await backend.write(path, text), `write of ${path}`, "W3");
    const read = await backend.read(path, 1, 1);
    check.equal(read.content, bytes, `What read gives of ${path}`, "R6");
    const { data } = await backend.readRaw(path);
    check.equal(data?.content, bytes, `What readRaw gives of ${path}`, "R9");
    check.equal(data?.mimeType, read.mimeType, `The type that readRaw gives of ${path}`, "R8");
    check.that(
      typeof read.mimeType === "string" && !read.mimeType.startsWith("text/"),
      `${path} is a media file, and its type ${JSON.stringify(read.mimeType)} is one of texts.`,
      "R8",
    );
    check.failed(await backend.edit(path, "plain", "x"), "not_text", `edit of ${path}`, "E6");
    check.failed(await backend.edit(path, "l", "x", true), "not_text", `edit of ${path}`, "E6");
    if (profile.multiEdit)
      check.failed(
        await backend.multiEdit(path, [{ old: "plain", new: "x" }]),
        "not_text",
        `multiEdit of ${path}`,
        "E6",
      );
    if (!backend.has("stat")) continue;
    const { info } = (await backend.call("stat", [path])) as { info?: { mimeType?: unknown } };
    check.equal(info?.mimeType, read.mimeType, `The type that stat gives of ${path}`, "F1");
  }
  await context.holds(Object.fromEntries(names.map((path) => [path, bytes])));
  for (const options of profile.regex ? [undefined, { regex: true }] : [undefined])
    check.equal(
      (await backend.grep("plain", "/m", null, null, options)).matches,
      [],
      "What grep finds in media files",
      "S3",
    );
  check.equal((await backend.grep("plain", names[0])).matches, [], "What grep finds in one", "S4");
}

/** Texts whose names promise something. */
export const extensionCases: readonly Case[] = [
  {
    id: "encoding/every-extension",
    rules: ["W3", "R7", "R8", "R9", "R10", "E2", "E6", "S3", "T1"],
    level: "core",
    needs: [],
    patience: 2,
    why: "A text is kept byte for byte, edited and searched as a text, whatever its name promises.",
    hint: "Never format, trim, normalise or convert; only the media extensions make a file binary.",
    run: everyExtension,
  },
  {
    id: "encoding/every-media-extension",
    rules: ["R7", "R6", "R8", "R9", "E6", "F1", "S3", "S4"],
    level: "core",
    needs: ["content=bytes"],
    patience: 2,
    why: "A media extension makes a file binary in every method, whatever it holds, and in capitals too.",
    hint: "One table of extensions, and one function that asks it.",
    run: everyMediaExtension,
  },
];
