import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import { sortedPaths } from "../../model/text-rules.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

/** A change, and the files that are there afterwards. */
type Step = readonly [name: string, change: () => Promise<Answered>, after: readonly string[]];

function stepsOf({ backend, profile }: CaseContext): Step[] {
  const steps: Step[] = [];
  let there: readonly string[] = ["/d/first.txt"];
  const add = (
    name: string,
    change: () => Promise<Answered>,
    { gone = [], made = [] }: { gone?: readonly string[]; made?: readonly string[] },
  ): void => {
    there = [...there.filter((path) => !gone.includes(path)), ...made];
    steps.push([name, change, there]);
  };
  add("write", () => backend.write("/d/written.md", "needle\n"), { made: ["/d/written.md"] });
  const upload = async (path: string): Promise<Answered> =>
    (await backend.uploadFiles([[path, encoder.encode("needle\n")]]))[0] ?? {};
  add("uploadFiles", () => upload("/d/e/uploaded.csv"), { made: ["/d/e/uploaded.csv"] });
  if (profile.copy) {
    add("copy", () => backend.copy("/d/written.md", "/c/copied.log"), { made: ["/c/copied.log"] });
    add("copy of a directory", () => backend.copy("/d/e", "/c/f"), {
      made: ["/c/f/uploaded.csv"],
    });
  }
  if (profile.move) {
    add("move", () => backend.move("/d/first.txt", "/m/moved.ini"), {
      gone: ["/d/first.txt"],
      made: ["/m/moved.ini"],
    });
    add("move of a directory", () => backend.move("/d/e", "/m/e"), {
      gone: ["/d/e/uploaded.csv"],
      made: ["/m/e/uploaded.csv"],
    });
  }
  if (profile.delete) {
    add("delete", () => backend.delete("/d/written.md"), { gone: ["/d/written.md"] });
    add("write once more", () => backend.write("/d/written.md", "needle\n"), {
      made: ["/d/written.md"],
    });
  }
  return steps;
}

/** G1, S5: every file is found by its name and by its ending, and none that has gone, whatever brought it there. */
async function foundByName(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  await context.given({ "/d/first.txt": "needle\n" });
  const names = new Set<string>();
  for (const [name, change, after] of stepsOf(context)) {
    check.succeeded(await change(), name, "A1");
    for (const path of after) names.add(path.slice(path.lastIndexOf("/") + 1));
    for (const file of names) {
      const ending = file.slice(file.indexOf("."));
      for (const pattern of [`**/${file}`, `**/*${ending}`]) {
        const wanted = sortedPaths(after.filter((path) => path.endsWith(`/${file}`)));
        const { files } = await backend.glob(pattern);
        const found = files?.map(({ path }) => path);
        check.equal(found, wanted, `What glob finds for ${pattern} after ${name}`, "G1");
        const { matches } = await backend.grep("needle", "/", pattern);
        const hits = matches?.map(({ path }) => path);
        check.equal(hits, wanted, `Where grep finds it in ${pattern} after ${name}`, "S5");
      }
    }
  }
}

/** Searches by the name of a file. */
export const nameSearchCases: readonly Case[] = [
  {
    id: "glob/by-name-after-changes",
    rules: ["G1", "S5"],
    level: "core",
    needs: ["transfer", "consistency=strong"],
    patience: 2,
    why: "A file is found by its name and its ending at once, whichever call has brought it to its place.",
    hint: "An index of names learns from every change: a copy and a move of a directory, too.",
    run: foundByName,
  },
];
