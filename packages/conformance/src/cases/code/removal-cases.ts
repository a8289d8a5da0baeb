import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

const encoder = new TextEncoder();
const PATH = "/d/e/a.txt";

/** A call that takes the file away, or makes it anew with a content. */
type Removal = readonly [name: string, call: () => Promise<Answered>];
type Making = readonly [name: string, call: (content: string) => Promise<Answered>];

function removalsOf({ backend, profile }: CaseContext): Removal[] {
  const removals: Removal[] = [
    ["delete", () => backend.delete(PATH)],
    ["delete of its directory", () => backend.delete("/d/e")],
    ["delete of the directory above", () => backend.delete("/d")],
  ];
  if (profile.move)
    removals.push(
      ["a move elsewhere", () => backend.move(PATH, "/gone/a.txt", { overwrite: true })],
      ["a move of its directory", () => backend.move("/d/e", "/gone/e")],
    );
  return removals;
}

function makingsOf(context: CaseContext): Making[] {
  const { backend, profile } = context;
  const uploaded = async (file: [string, Uint8Array]): Promise<Answered> =>
    (await backend.uploadFiles([file]))[0] ?? {};
  const makings: Making[] = [
    ["write", (content) => backend.write(PATH, content)],
    ["uploadFiles", (content) => uploaded([PATH, encoder.encode(content)])],
  ];
  if (hasFeature(context, "conditionalUploads"))
    makings.push(
      ["write with ifAbsent", (content) => backend.write(PATH, content, { ifAbsent: true })],
      [
        "uploadFiles with ifAbsent",
        async (content) => {
          const file = [PATH, encoder.encode(content), { ifAbsent: true }];
          const [answer] = (await backend.call("uploadFiles", [[file]])) as Answered[];
          return answer ?? {};
        },
      ],
    );
  for (const method of ["copy", "move"] as const)
    if (profile[method])
      makings.push([
        method,
        async (content) => {
          await uploaded([`/from/${method}.txt`, encoder.encode(content)]);
          return backend[method](`/from/${method}.txt`, PATH);
        },
      ]);
  return makings;
}

/** D1, W8, F2: a path from which a file was taken is as good as new, whichever way; only its old versions never come again. */
async function anew(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const contents = new Map<string, string>();
  const isNew = async (content: string, when: string): Promise<void> => {
    const { version } = await backend.read(PATH);
    if (version === undefined || !profile.versions) return;
    const before = contents.get(version) ?? content;
    check.equal(content, before, `The content that has the version ${version} ${when}`, "F2");
    contents.set(version, content);
  };
  let round = 10;
  for (const [removal, remove] of removalsOf(context))
    for (const [making, make] of makingsOf(context)) {
      const content = `new ${round++}\n`;
      await context.given({ [PATH]: `old ${round}\n` });
      await isNew(`old ${round}\n`, `before ${removal}`);
      check.succeeded(await remove(), removal, "D1");
      check.failed(await backend.read(PATH), "not_found", `read after ${removal}`, "D1");
      check.succeeded(await make(content), `${making} after ${removal}`, "W8");
      await context.holds({ [PATH]: content }, backend, "W1");
      await isNew(content, `after ${removal} and ${making}`);
      for (const top of ["/d", "/gone"]) await backend.delete(top);
    }
}

/** What comes where a file was taken away. */
export const removalCases: readonly Case[] = [
  {
    id: "delete/anew",
    rules: ["D1", "W8", "F2", "W1", "T3", "M4"],
    level: "core",
    needs: ["delete", "transfer"],
    patience: 3,
    why: "Where a file was taken away, in whatever way, it can be made in every way, and no version of before comes again.",
    hint: "A mark of what was removed is not a file; a counter that goes with its file or directory begins anew.",
    run: anew,
  },
];
