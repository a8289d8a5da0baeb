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
      await context.given({ [PATH]: `old ${round}\n`, "/d/e/sibling.txt": "old\n" });
      await isNew(`old ${round}\n`, `before ${removal}`);
      check.succeeded(await remove(), removal, "D1");
      check.failed(await backend.read(PATH), "not_found", `read after ${removal}`, "D1");
      check.succeeded(await make(content), `${making} after ${removal}`, "W8");
      await context.holds({ [PATH]: content }, backend, "W1");
      await isNew(content, `after ${removal} and ${making}`);
      const left = removal.includes("directory") ? [PATH] : [PATH, "/d/e/sibling.txt"];
      const found = (await backend.glob("**", "/d")).files?.map(({ path }) => path);
      check.equal(found, left, `What is there after ${removal} and ${making}`, "D1");
      for (const top of ["/d", "/gone"]) await backend.delete(top);
    }
}

/** Ways in which `/p/q/lib` may have come to hold its only file. */
const ARRIVALS = [
  "write",
  "uploadFiles",
  "move",
  "copy",
  "a move of it",
  "a copy of it",
  "a move above it",
  "a move over one that is there",
  "a copy over one that is there",
  "two uploads and an edit",
];

/** D2: with its last file a directory goes, and those above it that hold nothing else, however it came to be. */
async function lastFile(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const file = "/p/q/lib/file.txt";
  const arrive = async (way: string): Promise<Answered> => {
    if (way === "write") return backend.write(file, "x");
    if (way === "uploadFiles")
      return (await backend.uploadFiles([[file, encoder.encode("x")]]))[0] ?? {};
    if (way === "two uploads and an edit") {
      for (const text of ["x", "y"]) await context.given({ [file]: text, "/src/x.txt": text });
      return backend.edit(file, "y", "z");
    }
    const over = way.endsWith("that is there");
    if (over) await context.given({ [file]: "replaced", "/src/x.txt": "x" });
    const method = way.includes("copy") ? "copy" : "move";
    const [from, to] = way.endsWith("above it")
      ? ["/src", "/p/q"]
      : way.endsWith("of it")
        ? ["/src/lib", "/p/q/lib"]
        : ["/src/lib/file.txt", file];
    await context.given({ "/src/lib/file.txt": "x" });
    return backend[method](from, to, ...(over ? [{ overwrite: true }] : []));
  };
  const goings: Removal[] = [
    ["delete", () => backend.delete(file)],
    ["delete of the directory", () => backend.delete("/p/q/lib")],
    ...(profile.move
      ? ([
          ["a move away", () => backend.move(file, "/away.txt")],
          ["a move of the directory away", () => backend.move("/p/q/lib", "/away")],
        ] as Removal[])
      : []),
  ];
  for (const way of ARRIVALS) {
    if (way.includes("copy") ? !profile.copy : way.includes("move") && !profile.move) continue;
    for (const [going, go] of goings) {
      check.succeeded(await arrive(way), way, "M1");
      check.succeeded(await go(), going, "D1");
      for (const other of ["/src", "/away", "/away.txt"]) await backend.delete(other);
      const listed = (await backend.ls("/")).files?.map(({ path }) => path);
      check.equal(listed, [], `What ls lists after ${going}, where ${way} had put the file`, "D2");
      const code = "not_found";
      check.failed(
        await backend.ls("/p/q"),
        code,
        `ls of the directory above, after ${going}`,
        "D2",
      );
    }
  }
}

/** What goes from a directory, the paths of it, and how. */
type Going = readonly [name: string, paths: string[], go: () => Promise<Answered>];

/** L1: a directory stays while anything below it is a file, however deep, whatever else goes. */
async function otherFiles(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const goings: Going[] = [
    ["the only file right in it", ["/p/readme"], () => backend.delete("/p/readme")],
    ["one directory of two", ["/p/a/x", "/p/a/y"], () => backend.delete("/p/a")],
  ];
  if (profile.move)
    goings.push(
      ["a file that moves away", ["/p/readme"], () => backend.move("/p/readme", "/away/f")],
      ["a directory that moves away", ["/p/a/x"], () => backend.move("/p/a", "/away/d")],
    );
  for (const [name, paths, go] of goings) {
    const kept = "/p/src/deep/main.c";
    await context.given(Object.fromEntries([...paths, kept].map((path) => [path, "hit\n"])));
    check.succeeded(await go(), `the removal of ${name}`, "D1");
    const what = `after ${name} has gone`;
    for (const [directory, listed] of [
      ["/p", "/p/src/"],
      ["/p/src", "/p/src/deep/"],
      ["/p/src/deep", kept],
    ] as const) {
      const { files } = await backend.ls(directory);
      check.equal(
        files?.map(({ path }) => path),
        [listed],
        `What ls lists of ${directory} ${what}`,
        "L1",
      );
    }
    const top = (await backend.ls("/")).files?.map(({ path }) => path) ?? [];
    check.that(top.includes("/p/"), `ls lists no /p/ ${what}.`, "L1");
    const found = (await backend.glob("**", "/p")).files?.map(({ path }) => path);
    check.equal(found, [kept], `What glob finds ${what}`, "G1");
    for (const left of ["/p", "/away"]) await backend.delete(left);
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
  {
    id: "delete/last-of-a-directory",
    rules: ["D2", "D1", "L4"],
    level: "core",
    needs: ["delete", "transfer", "directories=implicit"],
    patience: 2,
    why: "A directory is there while a file is in it, however the file came there and however it goes.",
    hint: "Whatever keeps directories beside the files has to hear of every way in and out, moves of directories too.",
    run: lastFile,
  },
  {
    id: "delete/others-stay",
    rules: ["L1", "D1", "G1"],
    level: "core",
    needs: ["delete", "transfer", "directories=implicit"],
    why: "A directory stays listed while a file is anywhere below it.",
    hint: "A directory whose last own file goes may still have directories.",
    run: otherFiles,
  },
];
