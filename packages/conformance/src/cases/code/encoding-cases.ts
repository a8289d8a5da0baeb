import type { CaseContext } from "../../engine/case-context.js";
import { isMediaName } from "../../model/media-names.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();

/** Sizes around those of buffers and pages. */
const SIZES = [4095, 4096, 4097, 65_535, 65_536, 65_537, 131_073, 1_048_577];

/** Bytes that are no UTF-8, each for another reason, with text before. */
const ILL_FORMED: ReadonlyArray<readonly [name: string, bytes: readonly number[]]> = [
  ["overlong", [0xc0, 0x80]],
  ["overlong-slash", [0xe0, 0x80, 0xaf]],
  ["half-a-pair", [0xed, 0xa0, 0x80]],
  ["a-pair-of-halves", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ["above-the-last", [0xf4, 0x90, 0x80, 0x80]],
  ["five-bytes", [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ["lone-continuation", [0x80]],
  ["cut-off", [0xe2, 0x82]],
  ["latin-1", [0x63, 0x61, 0x66, 0xe9]],
  ["utf-16", [0xff, 0xfe, 0x61]],
  ["nul", [0x00]],
];

/** How much text precedes what makes a file binary. */
const BEFORE = [0, 8_200, 70_000];

/** Sizes at which buffers end: no byte is lost, repeated or replaced. */
async function bufferSizes(context: CaseContext): Promise<void> {
  for (const size of sizesWithin(context, SIZES)) {
    const bytes = Uint8Array.from({ length: size }, (_, at) => 32 + ((at * 31 + (at >> 8)) % 90));
    await context.given({ "/a.txt": bytes });
    await context.holds({ "/a.txt": bytes });
    await writtenWhole(context, size);
    const listed = (await context.backend.ls("/")).files?.find(({ path }) => path === "/a.txt");
    context.check.equal(listed?.size, size, "The listed size", "L2");
  }
}

/** W3, E1: a text of that many bytes is stored whole by a write, and by an edit that makes it so long. */
async function writtenWhole(context: CaseContext, size: number): Promise<void> {
  const { backend, check } = context;
  const text = `${"0123456789abcde\n".repeat(Math.ceil(size / 16)).slice(0, size - 1)}!`;
  check.succeeded(await backend.write(`/w${size}.txt`, text), `write of ${size} bytes`, "W3");
  check.succeeded(await backend.write(`/e${size}.txt`, "here"), "write");
  const edited = await backend.edit(`/e${size}.txt`, "here", text);
  check.succeeded(edited, `edit that makes ${size} bytes`, "E1");
  await context.holds({ [`/w${size}.txt`]: text, [`/e${size}.txt`]: text }, backend, "W3");
}

/** Characters of several bytes, so that wherever a buffer ends it ends within one. */
async function splitCharacters(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const [n, unit] of ["é", "€", "😀"].entries()) {
    const path = `/${n}.txt`;
    // A first line of one byte more each moves the characters against every even border.
    const text = `${"x".repeat(n)}\n${unit.repeat(Math.ceil(140_000 / (n + 2)))}\nend\n`;
    await context.given({ [path]: text });
    check.equal((await backend.read(path)).content, text, `What read gives of many ${unit}`, "R1");
    const { data } = await backend.readRaw(path);
    check.equal(data?.content, text, `What readRaw gives of many ${unit}`, "R9");
    check.succeeded(await backend.edit(path, "end", unit), `edit behind many ${unit}`, "E1");
    await context.holds({ [path]: text.replace("end", unit) });
    const found = (await backend.grep(unit, path)).matches?.map((match) => [
      match.line,
      match.text,
    ]);
    const lines = [
      [2, unit.repeat(Math.ceil(140_000 / (n + 2)))],
      [3, unit],
    ];
    check.equal(found, lines, `The lines with ${unit}`, "S2");
  }
}

/** R7: what is no UTF-8 is bytes in every method, however much text precedes it. */
async function illFormed(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const before of BEFORE) {
    for (const [name, tail] of ILL_FORMED) {
      const path = `/${before}/${name}.txt`;
      const line = "needle and text\n";
      const text = line.repeat(Math.ceil(before / line.length) + (before === 0 ? 0 : 1));
      const encoded = encoder.encode(text);
      const bytes = new Uint8Array(encoded.length + tail.length + 1);
      bytes.set(encoded);
      bytes.set([...tail, 10], encoded.length);
      await context.given({ [path]: bytes });
      const { data } = await backend.readRaw(path);
      check.equal(data?.content, bytes, `What readRaw gives of ${path}`, "R7");
      // One page for all of it: of a very large file a page may be judged by itself.
      const read = before > 20_000 ? undefined : await backend.read(path, 0, 100_000);
      if (read !== undefined) check.equal(read.content, bytes, `What read gives of ${path}`, "R7");
      if (before > 0)
        check.failed(await backend.edit(path, line, "", true), "not_text", `edit of ${path}`, "E6");
      await context.holds({ [path]: bytes });
    }
  }
  const searched = (await backend.grep("needle", "/")).matches?.map(({ path }) => path);
  check.equal(searched, [], "The files with the text, all of which are binary", "S3");
}

/** R7: only a NUL, ill-formed bytes and a media name make a file binary. */
async function oddTexts(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const texts: Readonly<Record<string, string>> = {
    "/control.txt": `${Array.from({ length: 31 }, (_, n) => String.fromCharCode(n + 1)).join("")}\u007f\n`,
    "/c1.txt": "\u0080\u009f\n",
    "/replacement.txt": "\ufffd\ufffd\ufffd\n",
    "/marks.txt": "\ufeff\ufeffx\ufeff\n",
    "/noncharacter.txt": "\ufffe\uffff\u{10ffff}\n",
    "/composed.txt": "e\u0301 \u00e9 \u212b \ufb01\n",
    "/picture.svg": "<svg/>\n",
    "/no-extension": "text\n",
    "/data.bin.txt": "text\n",
    "/escape.log": "\u001b[31mred\u001b[0m\n",
  };
  for (const [path, text] of Object.entries(texts)) {
    check.that(!isMediaName(path), `${path} is no media name.`);
    check.succeeded(await backend.write(path, text), `write of ${path}`, "W3");
    check.equal((await backend.read(path)).content, text, `What read gives of ${path}`, "R7");
    const { data } = await backend.readRaw(path);
    check.equal(data?.content, text, `What readRaw gives of ${path}`, "R9");
    check.succeeded(await backend.edit(path, text, `${text}e\u0301\n`), `edit of ${path}`, "E1");
    check.equal(
      (await backend.readRaw(path)).data?.content,
      `${text}e\u0301\n`,
      `What an edit makes of ${path}`,
      "E2",
    );
  }
}

/** JSON, String(), slice() and equality of a Buffer are others, so that callers would meet a difference between backends. */
async function plainBytes(context: CaseContext): Promise<void> {
  // Binary by its extension, so that a storage of texts can keep it too.
  const path = "/a.png";
  await context.given({ [path]: encoder.encode("bytes") });
  // Not the guarded backend, which gives copies.
  const { backend } = context.instance;
  const [downloaded] = (await backend.downloadFiles?.([path])) ?? [];
  const found: ReadonlyArray<readonly [string, unknown]> = [
    ["read", (await backend.read(path)).content],
    ["readRaw", (await backend.readRaw(path)).data?.content],
    ["downloadFiles", downloaded?.content],
  ];
  for (const [method, content] of found) {
    const { check } = context;
    check.that(
      content instanceof Uint8Array,
      `What ${method} gives of a binary file is no Uint8Array.`,
    );
    // By its prototype: a page of the web has no Buffer to ask for.
    check.that(
      Object.getPrototypeOf(content) === Uint8Array.prototype,
      `What ${method} gives of a binary file is a Buffer, or another kind of Uint8Array.`,
    );
  }
}

/** Bytes and characters, where decoders and buffers go wrong. */
export const encodingCases: readonly Case[] = [
  {
    id: "encoding/buffer-sizes",
    rules: ["T1", "A7", "L2", "W3", "E1"],
    level: "core",
    needs: ["transfer"],
    patience: 2,
    why: "Files of as many bytes as a buffer has, one less and one more, come back whole.",
    hint: "The last part of a file is mostly shorter than a buffer, and sometimes exactly as long.",
    run: bufferSizes,
  },
  {
    id: "encoding/split-characters",
    rules: ["R7", "R1", "R9", "E1"],
    level: "core",
    needs: [],
    patience: 2,
    why: "A character of several bytes stays whole where a buffer ends within it.",
    hint: "Decode as a stream, or once all bytes are there.",
    run: splitCharacters,
  },
  {
    id: "encoding/ill-formed",
    rules: ["R7", "E6", "S3"],
    level: "core",
    needs: ["transfer", "content=bytes"],
    patience: 2,
    why: "What is no UTF-8, or holds a NUL, is bytes for every method, also far behind the beginning.",
    hint: "new TextDecoder('utf-8', { fatal: true }) over the whole file. The first bytes prove nothing.",
    run: illFormed,
  },
  {
    id: "encoding/odd-texts",
    rules: ["R7", "W3", "E2", "R9"],
    level: "core",
    needs: [],
    why: "Valid UTF-8 without a NUL is text, and stays as it is: control characters, marks, both forms of an é.",
    hint: "No normalisation, no guess by the share of control characters.",
    run: oddTexts,
  },
  {
    id: "encoding/plain-bytes",
    rules: ["R6", "R9", "T1"],
    level: "core",
    needs: ["transfer"],
    why: "Bytes come as a plain Uint8Array, which is the same to JSON, String(), slice() and equality on every backend.",
    hint: "new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength) is a Buffer's bytes without its methods.",
    run: plainBytes,
  },
];
