import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import type { Answered } from "../../engine/checker.js";
import { sortedPaths } from "../../model/text-rules.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";

/** Directories that some storage takes for one another: by a beginning, by a pattern, by an escape. */
const NAMES = ["docs", "doc", "docs2", "docs-old", "docs.d", "d_cs", "dacs", "d%", "d*", "[docs]"];
/** Others that differ by case alone. */
const BY_CASE = ["Docs", "DOCS", "D_CS"];
/** Those that are moved, copied and removed. */
const SUBJECTS = ["docs", "d_cs", "d%", "d*", "[docs]"];

type Change = readonly [
  method: "delete" | "move" | "copy",
  call: (subject: string, target: string) => Promise<Answered>,
];

/** The changes of directories that the backend offers. */
function changesOf({ backend, profile }: CaseContext): Change[] {
  const changes: Change[] = [
    ["delete", (subject) => backend.delete(subject)],
    ["move", (subject, target) => backend.move(subject, target)],
    ["copy", (subject, target) => backend.copy(subject, target)],
  ];
  return changes.filter(([method]) => profile[method]);
}

/** P4, D1, M1: what is done to a directory is done to it alone, whatever is called nearly as it is. */
async function directoriesAlike(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const names = [...NAMES, ...(profile.names.caseSensitive ? BY_CASE : [])];
  const changes = changesOf(context);
  if (changes.length === 0) throw new NotApplicable("no directory is moved, copied or removed");
  for (const [method, call] of changes)
    for (const [n, subject] of SUBJECTS.entries()) {
      const top = `/${method}-${n}`;
      // A name for each file, so that none hides another where they come together.
      const fileOf = (name: string): string => `in-${names.indexOf(name)}/f.txt`;
      const files = new Map(names.map((name) => [`${top}/${name}/${fileOf(name)}`, `${name}\n`]));
      await context.given(Object.fromEntries(files));
      const [from, target] = [`${top}/${subject}`, `${top}-to`];
      const what = `${method} of ${show(subject)} beside directories that are called nearly so`;
      check.succeeded(await call(from, target), what, "A1");
      if (method !== "copy") files.delete(`${from}/${fileOf(subject)}`);
      if (method !== "delete") files.set(`${target}/${fileOf(subject)}`, `${subject}\n`);
      const found = (await backend.glob(`${method}-${n}{,-to}/**`)).files?.map(({ path }) => path);
      check.equal(found, sortedPaths(files.keys()), `The files after ${what}`, "P4");
      await context.holds(Object.fromEntries(files), backend, "A7");
    }
}

/** Directories beside others with names like theirs. */
export const alikeTreeCases: readonly Case[] = [
  {
    id: "path/directories-alike",
    rules: ["P4", "D1", "M1", "A7"],
    level: "core",
    needs: ["transfer"],
    patience: 3,
    why: "What is done to a directory is done to it alone: others whose names begin so, match it as a pattern or differ by case stay.",
    hint: "Compare whole names, byte by byte: no LIKE, no prefix without the slash, no pattern made of a path.",
    run: directoriesAlike,
  },
];
