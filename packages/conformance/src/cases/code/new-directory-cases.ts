import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

type Way = readonly [name: string, make: (directory: string) => Promise<Answered>];

/** Every call that makes directories: `make` puts a file `a.txt` into a directory that is not there. The sources lie in `/from`. */
function waysOf(by: GuardedBackend, { profile }: CaseContext): Way[] {
  const ways: Way[] = [["write", (directory) => by.write(`${directory}/a.txt`, "hit\n")]];
  if (profile.transfer)
    ways.push([
      "uploadFiles",
      async (directory) =>
        (await by.uploadFiles([[`${directory}/a.txt`, encoder.encode("hit\n")]]))[0] ?? {},
    ]);
  if (profile.copy)
    ways.push(
      ["copy of a file", (directory) => by.copy("/from/file/a.txt", `${directory}/a.txt`)],
      ["copy of a directory", (directory) => by.copy("/from/file", directory)],
    );
  if (profile.move)
    ways.push(
      ["move of a file", (directory) => by.move("/from/one/a.txt", `${directory}/a.txt`)],
      ["move of a directory", (directory) => by.move("/from/all", directory)],
    );
  return ways;
}

type Look = readonly [name: string, look: (directory: string) => Promise<object>];

function looksOf({ backend }: CaseContext): Look[] {
  return [
    ["ls", (directory) => backend.ls(directory)],
    ["glob", (directory) => backend.glob("**", directory)],
    ["grep", (directory) => backend.grep("hit", directory)],
    ...(backend.has("stat")
      ? [["stat", (path: string) => backend.call("stat", [path]) as Promise<object>] as const]
      : []),
  ];
}

/** F1, L1: no look keeps that a directory was not there, nor that it was. */
async function comeAndGo(context: CaseContext, by: GuardedBackend): Promise<void> {
  const { backend, check, profile } = context;
  const sources = ["/from/file/a.txt", "/from/one/a.txt", "/from/all/a.txt"];
  await context.given(Object.fromEntries(sources.map((path) => [path, "hit\n"])));
  const looks = looksOf(context);
  for (const [n, [name, make]] of waysOf(by, context).entries()) {
    // Deeper than any walk up that was given a bound.
    const directories = range(10).map((level) => `/new${n}${"/sub".repeat(level)}`);
    const [top = ""] = directories;
    const deep = directories.at(-1) ?? "";
    const areThere = async (after: string): Promise<void> => {
      for (const directory of directories)
        for (const [look, call] of looks)
          check.succeeded(await call(directory), `${look} of ${directory} after ${after}`, "F1");
      const found = (await backend.glob("**", top)).files?.map(({ path }) => path);
      check.equal(found, [`${deep}/a.txt`], `What glob finds after ${after}`, "G1");
    };
    const areMissing = async (when: string): Promise<void> => {
      for (const directory of directories)
        for (const [look, call] of looks)
          check.failed(await call(directory), "not_found", `${look} of ${directory} ${when}`, "L4");
    };
    await areMissing("before it was made");
    check.succeeded(await make(deep), name);
    await areThere(name);
    // How a directory was made does not matter to its removal.
    if (!profile.delete || n > 0) continue;
    check.succeeded(await by.delete(top), "delete");
    await areMissing("after it was removed");
    check.succeeded(await by.write(`${deep}/a.txt`, "hit\n"), "write");
    await areThere("a write that made it again");
  }
}

/** Directories that were looked for before they were there. */
export const newDirectoryCases: readonly Case[] = [
  {
    id: "path/new-directories",
    rules: ["F1", "L1", "L4", "D2"],
    level: "core",
    needs: [],
    why: "A directory that was looked for in vain is there as soon as a change has made it, with all above it, and gone once it is removed.",
    hint: "A change makes directories too: forget of each directory above a new file that nothing was there.",
    run: (context) => comeAndGo(context, context.backend),
  },
  {
    id: "peer/new-directories",
    rules: ["F1", "L1", "L4", "D2"],
    level: "safe",
    needs: ["peer", "consistency=strong", "atomicity=clients"],
    why: "A directory that one client looked for in vain is there for it as soon as another client has made it.",
    hint: "Do not remember what another client may make: ask the storage.",
    run: async (context) => comeAndGo(context, await context.peer()),
  },
];
