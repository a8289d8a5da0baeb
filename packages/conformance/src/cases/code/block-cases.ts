import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

/** Where reads, chunks, pages and parts of common storages and programs end, in bytes. */
const BORDERS = [4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144];
const LINE = "what lies between the places that count, sixty-four bytes long.\n";
const NEEDLE = "<née dle>";
/** Bytes of the needle before the border, which falls into its two-byte character. */
const BEFORE = 3;

/** Lines of text up to a border, the needle across it, and lines after it. */
function acrossBorder(border: number): string {
  const lines = Math.floor((border - BEFORE) / LINE.length);
  const rest = "-".repeat(border - BEFORE - lines * LINE.length);
  return `${LINE.repeat(lines)}${rest}${NEEDLE} ends here\n${LINE}`;
}

/** The same in one line. */
function inOneLine(border: number): string {
  return `${"-".repeat(border - BEFORE)}${NEEDLE}${"-".repeat(100)}\n`;
}

/** The files that fit, by path: their border and their text. */
function filesOf({ profile }: CaseContext): Map<string, readonly [border: number, text: string]> {
  const { fileBytes = Infinity } = profile.limits;
  const files = new Map(
    BORDERS.flatMap((border) => [
      [`/lines/${border}.txt`, [border, acrossBorder(border)]] as const,
      [`/line/${border}.txt`, [border, inOneLine(border)]] as const,
    ]).filter(([, [, text]]) => encoder.encode(text).length + NEEDLE.length <= fileBytes),
  );
  if (files.size === 0) throw new NotApplicable(`a file may have ${fileBytes} bytes here`);
  return files;
}

/** S1 and R1: what crosses a border is found, and read as it is. */
async function found(context: CaseContext): Promise<void> {
  const files = filesOf(context);
  const { backend, check } = context;
  await context.given(Object.fromEntries([...files].map(([path, [, text]]) => [path, text])));
  const lineOf = (text: string): number => text.slice(0, text.indexOf(NEEDLE)).split("\n").length;
  const lines = [...files].map(([path, [, text]]) => ({ path, line: lineOf(text), text }));
  const { matches } = await backend.grep(NEEDLE);
  check.equal(
    matches?.map(({ path, line }) => `${path}:${line}`),
    lines.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, line }) => `${path}:${line}`),
    "The lines that grep finds, each across a border of the file's bytes",
    "S1",
  );
  for (const { path, line, text } of lines) {
    const page = await backend.read(path, line - 1, 1);
    check.equal(page.content, `${text.split("\n")[line - 1]}\n`, `Line ${line} of ${path}`, "R1");
  }
}

/** E1 and E2: a text is unique in the whole file, not in its first part. */
async function edited(context: CaseContext): Promise<void> {
  const files = filesOf(context);
  const { backend, check } = context;
  for (const [path, [border, text]] of files) {
    const twice = `${NEEDLE} begins\n${text}`;
    await context.given({ [path]: twice });
    const what = `edit of a text that comes first and again after ${border} bytes`;
    check.failed(await backend.edit(path, NEEDLE, "new"), "not_unique", what, "E1");
    await context.holds({ [path]: twice }, backend, "E1");
    const all = await backend.edit(path, NEEDLE, "<new>", true);
    check.equal(all.occurrences, 2, `'occurrences' of both, ${border} bytes apart`, "E2");
    const once = twice.replaceAll(NEEDLE, "<new>");
    await context.holds({ [path]: once }, backend, "E2");
    const last = await backend.edit(path, once.slice(-80), "the end\n");
    check.succeeded(last, `edit of the end, ${border} bytes down`, "E1");
    await context.holds({ [path]: `${once.slice(0, -80)}the end\n` }, backend, "E1");
  }
}

/** Contents across the places where the parts of a file meet. */
export const blockCases: readonly Case[] = [
  {
    id: "scale/found-across-borders",
    rules: ["S1", "R1"],
    level: "core",
    needs: [],
    why: "A match that lies across the end of a block, a chunk or a part of the file is found, and its line read whole.",
    hint: "Who searches a file in pieces carries the last line of each over to the next, as bytes: a border may split a character.",
    run: found,
  },
  {
    id: "scale/edited-across-borders",
    rules: ["E1", "E2"],
    level: "core",
    needs: [],
    why: "An edit looks at the whole file for its text, however far down it comes again.",
    hint: "Count occurrences to the end, or to the second one.",
    run: edited,
  },
];
