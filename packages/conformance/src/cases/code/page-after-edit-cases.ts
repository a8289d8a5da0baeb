import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

const encoder = new TextEncoder();

/** Lines of the file: more than an index of every so many lines, a block or a page leaves out. */
const LINES = 2600;
/** Where pages begin that are read before and after each change, out of order. */
const OFFSETS = [2100, 0, 255, 256, 700, 499, 500, 1024, 2599, 1];
const PAGE = 3;

const FIRST: readonly string[] = range(LINES).map((n) => `line ${n} of many\n`);

/** Changes one after the other: lines become longer, more, fewer, others of equal length, and shorter. */
const CHANGES: ReadonlyArray<readonly [old: string, to: string]> = [
  ["line 3 of many\n", "line three, which is longer than before\n"],
  ["line 40 of", "line\n40\r\nof"],
  ["line 200 of many\nline 201 of many\nline 202 of many\n", ""],
  ["line 300 of many", "LINE 300 OF MANY"],
  ["line 310 of many\nline 311", "line 310 of many line 311"],
  ["line 1500 of many\n", "é😀\n"],
  ["line three, which is longer than before\n", ""],
];

async function pagesOf(
  { backend, check }: CaseContext,
  path: string,
  [text, what]: readonly [text: string, what: string],
): Promise<void> {
  const lines = text.split(/(?<=\n)/);
  for (const offset of OFFSETS) {
    if (offset >= lines.length) continue;
    const page = await backend.read(path, offset, PAGE);
    check.equal(
      page.content,
      lines.slice(offset, offset + PAGE).join(""),
      `What read gives from line ${offset + 1} ${what}`,
      "R1",
    );
  }
  const hits = (await backend.grep("2500", path)).matches?.map(({ line }) => line);
  const wanted = lines.flatMap((line, n) => (line.includes("2500") ? [n + 1] : []));
  check.equal(hits, wanted, `The line that grep names ${what}`, "S1");
}

/** R1, R2: pages anywhere in a file are those of its current text, also where they were read before. */
async function pagesAfterEdits(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const method of profile.multiEdit ? (["edit", "multiEdit"] as const) : (["edit"] as const)) {
    const path = `/${method}.txt`;
    let text = FIRST.join("");
    await context.given({ [path]: text });
    await pagesOf(context, path, [text, "at first"]);
    for (const [old, to] of CHANGES) {
      const answer =
        method === "edit"
          ? await backend.edit(path, old, to)
          : await backend.multiEdit(path, [{ old, new: to }]);
      check.succeeded(answer, method, "E1");
      text = text.replace(old, () => to);
      await pagesOf(context, path, [text, `after ${method} of ${JSON.stringify(old)}`]);
    }
  }
}

/** The lines of another file: each begins with its name. */
function other(name: string): string {
  return FIRST.map((line) => `${name} ${line}`).join("");
}

/** The same where the whole file is another: by an upload, by a move or a copy over it, or created again. */
async function pagesAfterReplacements(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const path = "/a.txt";
  const upload = async (name: string, to = path): Promise<void> => {
    const [stored] = await backend.uploadFiles([[to, encoder.encode(other(name))]]);
    check.equal(stored?.error, null, `The upload of ${to}`, "T1");
  };
  const longest = "at first, and longer than all others";
  await context.given({ [path]: other(longest) });
  await pagesOf(context, path, [other(longest), "at first"]);
  await upload("upload");
  await pagesOf(context, path, [other("upload"), "after an upload over it"]);
  for (const method of ["copy", "move"] as const) {
    if (!profile[method]) continue;
    await upload(method, "/b.txt");
    await pagesOf(context, "/b.txt", [other(method), "of another file"]);
    check.succeeded(await backend[method]("/b.txt", path, { overwrite: true }), method, "M1");
    await pagesOf(context, path, [other(method), `after a ${method} over it`]);
  }
  if (hasFeature(context, "versions")) {
    const { version = "" } = await backend.read(path);
    const written = await backend.write(path, other("write"), { ifVersion: version });
    check.succeeded(written, "write at the version", "W5");
    await pagesOf(context, path, [other("write"), "after a write over it"]);
  }
  if (!profile.delete) return;
  check.succeeded(await backend.delete(path), "delete", "D1");
  await upload("created again");
  await pagesOf(context, path, [other("created again"), "where it was created again"]);
}

/** Pages that were read before, of a file that has changed since. */
export const pageAfterEditCases: readonly Case[] = [
  {
    id: "read/pages-after-edits",
    rules: ["R1", "R2", "A7", "S1"],
    level: "core",
    needs: [],
    patience: 2,
    why: "Far down in a file the lines are those of its text now, though an edit far above has moved them.",
    hint: "Whatever knows where lines begin goes with every change of the file.",
    run: pagesAfterEdits,
  },
  {
    id: "read/pages-after-replacements",
    rules: ["R1", "A7", "M1", "W1"],
    level: "core",
    needs: ["transfer"],
    patience: 2,
    why: "Far down in a file the lines are those of what has replaced it, whichever way.",
    hint: "Whatever knows where lines begin goes with every change of the file.",
    run: pagesAfterReplacements,
  },
];
