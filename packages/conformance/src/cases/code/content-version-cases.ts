import { NotApplicable } from "../../engine/check-failure.js";
import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();

/** Contents that are one to whoever normalises or decodes them before hashing. */
const TEXTS = [
  ..."a\r\n|a\n|a|a |\ufeffa|a\ufeff|A|caf\u00e9|cafe\u0301|\ufb01|fi|\ufffd".split("|"),
  '{"a":1}',
  '{ "a": 1 }',
  // Of one sum, of one hash of Java, of one CRC-32, and of one FNV-1a of 32 bits.
  ..."ab|ba|Aa|BB|plumless|buckeroo|costarring|liquid".split("|"),
];
const BYTES = [[0, 0x80], [0, 0x81], [0, 0xff], [0x80], [0x81], [0, 0xed, 0xa0, 0x80]];

/** F2: contents that look alike are others. */
async function ofLikeContents(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const contents = TEXTS.map((text) => encoder.encode(text));
  if (profile.content === "bytes") contents.push(...BYTES.map((codes) => Uint8Array.from(codes)));
  const seen = new Set<string>();
  for (const content of contents) {
    const [stored] = await backend.uploadFiles([["/a.txt", content]]);
    check.equal(stored?.error, null, `The upload of ${content.join(" ")}`, "T1");
    const version =
      (stored as { version?: string }).version ?? (await backend.read("/a.txt")).version;
    if (version === undefined) throw new NotApplicable("no answer gives a 'version'");
    const sentence = `The bytes ${content.join(" ")} have the version of a content before.`;
    check.that(!seen.has(version), sentence, "F2");
    seen.add(version);
  }
}

/** Sizes that storages keep in different places: in a row, in pages of their own, as an object. */
const PLACED_SIZES = [10, 400, 3000, 70_000, 600_000];

/** F2: a file that grows and shrinks again has at no size a version that it had at another one. */
async function ofOtherSizes(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const sizes = sizesWithin(context, PLACED_SIZES);
  const seen = new Map<string, string>();
  let before: string | undefined;
  for (const [n, size] of [...sizes, ...sizes.toReversed(), ...sizes].entries()) {
    const step = `step ${n}, of ${size} bytes`;
    const [stored] = await backend.uploadFiles([["/a.txt", new Uint8Array(size).fill(0x61 + n)]]);
    check.equal(stored?.error, null, `The upload of ${step}`, "T1");
    const { version } = await backend.read("/a.txt", 0, 1);
    if (version === undefined) throw new NotApplicable("read gives no 'version' of this file");
    const other = seen.get(version);
    check.that(
      other === undefined,
      `The version of ${step} is ${JSON.stringify(version)}, as it was at ${other}.`,
      "F2",
    );
    seen.set(version, step);
    if (before !== undefined) {
      const late = await backend.write("/a.txt", "late", { ifVersion: before });
      check.failed(late, "conflict", `write at the version before ${step}`, "W5");
    }
    before = version;
  }
}

/** F2: what is put over a file by a move or a copy, of itself or with its directory, is another content, and so another version. */
async function ofRelocation(context: CaseContext): Promise<void> {
  const { profile } = context;
  const methods = (["move", "copy"] as const).filter((method) => profile[method]);
  if (methods.length === 0) throw new NotApplicable("the profile has move: false and copy: false");
  for (const method of methods)
    for (const what of ["file", "directory"] as const)
      for (const changes of [0, 1]) await putOver(context, { method, what, changes });
}

async function putOver(
  context: CaseContext,
  { method, what, changes }: { method: "move" | "copy"; what: string; changes: number },
): Promise<void> {
  const { backend, check } = context;
  const top = `/${method}/${what}/${changes}`;
  const [source, target] = [`${top}/s`, `${top}/t`];
  const [from, to] = [`${source}/a.txt`, `${target}/a.txt`];
  await context.given({ [from]: "from 0", [to]: "to 0" });
  // As many changes each: a version that counts per file is the same for both.
  if (changes > 0) {
    check.succeeded(await backend.edit(from, "from", "from of"), `edit of ${from}`, "E1");
    check.succeeded(await backend.edit(to, "to", "to of"), `edit of ${to}`, "E1");
  }
  const { version } = await backend.read(to);
  if (version === undefined) throw new NotApplicable("read gives no 'version' of this file");
  const over = `${method} of a ${what} over one with as many changes`;
  const [moved, replaced] = what === "file" ? [from, to] : [source, target];
  check.succeeded(await backend[method](moved, replaced, { overwrite: true }), over, "M1");
  check.that(
    (await backend.read(to)).version !== version,
    `After ${over} the version is still ${JSON.stringify(version)}.`,
    "F2",
  );
  const late = await backend.edit(to, "from", "lost", false, { ifVersion: version });
  check.failed(late, "conflict", `edit at the version before ${over}`, "W5");
}

/** Versions of contents that come in other ways, or look alike. */
export const contentVersionCases: readonly Case[] = [
  {
    id: "version/of-like-contents",
    rules: ["F2"],
    level: "core",
    needs: ["versions", "transfer"],
    why: "Contents that differ in line ends, marks, forms of a letter or ill-formed bytes have different versions.",
    hint: "Hash the bytes as they are, never a text made of them.",
    run: ofLikeContents,
  },
  {
    id: "version/of-other-sizes",
    rules: ["F2", "W5"],
    level: "core",
    needs: ["versions", "transfer"],
    why: "A file that grows and shrinks has another version at each step, wherever a storage keeps contents of a size.",
    hint: "Count versions in one place for all sizes, or go on from the one that is replaced.",
    run: ofOtherSizes,
  },
  {
    id: "version/of-relocation",
    rules: ["F2", "W5", "M1"],
    level: "core",
    needs: ["versions", "transfer"],
    why: "A file that a move or a copy replaced is at another version.",
    hint: "A counter per file is the same for two files: count per storage, or go on from the one that is replaced.",
    run: ofRelocation,
  },
];
