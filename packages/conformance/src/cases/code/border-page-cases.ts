import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

/** Bytes of a line that divide the blocks of 512, 1,024, 4,096, 8,192 and 65,536 bytes, and one that does not. */
const LINE_BYTES = [16, 64, 512, 63];

/** R1, R2: pages in a row are the file, wherever they end. */
async function pagesAtBorders(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const bytes of LINE_BYTES)
    for (const end of ["\n", ""]) {
      const lines = Math.ceil(20_480 / bytes);
      const whole = range(lines)
        .map((n) => `${String(n).padEnd(bytes - 1, "-")}\n`)
        .join("");
      const text = end === "" ? whole.slice(0, -1) : whole;
      const path = `/l${bytes}${end === "" ? "" : "e"}.txt`;
      await context.given({ [path]: text });
      for (const size of [512, 4096, 8192, 20_480].map((block) => Math.floor(block / bytes))) {
        if (size < 1 || lines / size > 40) continue;
        await pagesOf(context, path, { text, size, lines });
      }
      const rest = await backend.read(path, lines - 1, 10);
      check.equal(rest.nextOffset, undefined, `'nextOffset' at the end of ${path}`, "R2");
    }
}

async function pagesOf(
  { backend, check }: CaseContext,
  path: string,
  { text, size, lines }: { text: string; size: number; lines: number },
): Promise<void> {
  let read = "";
  let known = false;
  for (let offset = 0; offset < lines; offset += size) {
    const page = await backend.read(path, offset, size);
    const what = `the page of ${size} lines of ${path} from line ${offset + 1}`;
    check.succeeded(page, what, "R1");
    known ||= page.nextOffset !== undefined;
    const next = offset + size < lines ? offset + size : undefined;
    if (known || next === undefined)
      check.equal(page.nextOffset, next, `'nextOffset' of ${what}`, "R2");
    read += String(page.content);
  }
  check.equal(read, text, `The pages of ${size} lines of ${path} in a row`, "R1");
}

/** Pages of a text that end where a storage's blocks do. */
export const borderPageCases: readonly Case[] = [
  {
    id: "read/pages-at-borders",
    rules: ["R1", "R2"],
    level: "core",
    needs: [],
    patience: 2,
    why: "Pages in a row are the whole file, also where a page ends exactly with a block, and each but the last says where to go on.",
    hint: "At the end of a block it is not known yet whether that was the end of the file.",
    run: pagesAtBorders,
  },
];
