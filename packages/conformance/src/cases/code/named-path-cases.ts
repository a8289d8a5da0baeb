import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";
import { namesPath } from "../names-path.js";

type Call = readonly [method: Parameters<CaseContext["backend"]["call"]>[0], ...args: unknown[]];

const CANONICAL = "/d/";
const SPELLED = "//d/./";

/** Another spelling of a path, in which the canonical one does not occur. */
function spelled(path: string): string {
  return path.replace(CANONICAL, SPELLED);
}

function isSpelled(argument: unknown): argument is string {
  return typeof argument === "string" && argument.startsWith(SPELLED);
}

function canonicalOf(written: string): string {
  return written.replace(SPELLED, CANONICAL);
}

const [FILE, OTHER, DIRECTORY, MISSING] = ["/d/a.txt", "/d/b.txt", "/d/s", "/d/none.txt"];

/** Calls that would make a file of a directory, or put one below a file. */
function collisions({ profile }: CaseContext): Call[] {
  const [file, directory] = [FILE, DIRECTORY].map(spelled);
  return [
    ["write", directory, "x"],
    ["write", `${file}/below.txt`, "x"],
    ...(["move", "copy"] as const).flatMap((method): Call[] =>
      profile[method]
        ? [
            [method, file, directory, { overwrite: true }],
            [method, directory, file, { overwrite: true }],
          ]
        : [],
    ),
  ];
}

/** Calls that are refused, each for another reason. */
function refusals(context: CaseContext): Call[] {
  const { profile } = context;
  const [file, other, directory, missing] = [FILE, OTHER, DIRECTORY, MISSING].map(spelled);
  const old = { ifVersion: "none" };
  return [
    ["read", file, 99],
    ["read", directory],
    ["readRaw", directory],
    ["readRaw", missing],
    ["edit", file, "nowhere", "x"],
    ["edit", file, "same", "x"],
    ["edit", file, "", "x"],
    ["edit", directory, "a", "b"],
    ["edit", missing, "a", "b"],
    ["ls", `${file}/below`],
    ["ls", missing],
    ["glob", "**", missing],
    ["grep", "x", missing],
    ...(profile.collisions === "refused" ? collisions(context) : []),
    ...(profile.writeMode === "create" ? ([["write", file, "x"]] as const) : []),
    ...(profile.versions
      ? ([
          ["write", file, "x", old],
          ["edit", file, "one", "x", false, old],
        ] as const)
      : []),
    ...(profile.multiEdit ? ([["multiEdit", file, [{ old: "nowhere", new: "x" }]]] as const) : []),
    ...(profile.delete
      ? ([
          ["delete", missing],
          ...(profile.versions ? ([["delete", file, old]] as const) : []),
        ] as const)
      : []),
    ...(["move", "copy"] as const).flatMap((method): Call[] =>
      profile[method]
        ? [
            [method, file, other],
            [method, missing, other],
            [method, directory, `${directory}/below`],
          ]
        : [],
    ),
  ];
}

/** A6: a sentence that names a path of the call names it as it was written. */
async function pathsAsWritten(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const path = "/no/such file.txt";
  for (const [method, ...rest] of [["read"], ["readRaw"], ["edit", "a", "b"]] as const) {
    const { error } = (await backend.call(method, [path, ...rest])) as Answered;
    const said = `The error of ${method} should name ${show(path)}, but it says ${show(error)}.`;
    check.that(String(error).includes(path), said, "A6");
  }
  await context.given({
    [FILE]: "same same\none\n",
    [OTHER]: "b\n",
    [`${DIRECTORY}/c.txt`]: "c\n",
  });
  for (const [method, ...args] of refusals(context)) {
    const answer = (await backend.call(method, args)) as Answered;
    const what = `${method}(${args.map((argument) => JSON.stringify(argument)).join(", ")})`;
    check.failed(answer, undefined, what, "A6");
    for (const written of args.filter(isSpelled))
      check.that(
        !namesPath(String(answer.error), canonicalOf(written)),
        `The error of ${what} should name ${show(written)} as it was written, but it says ${JSON.stringify(answer.error)}.`,
        "A6",
      );
  }
}

/** Sentences and the paths in them. */
export const namedPathCases: readonly Case[] = [
  {
    id: "guard/error-sentences",
    rules: ["A6"],
    level: "core",
    needs: [],
    why: "A failure names the path as the caller wrote it, whatever was wrong with the call.",
    hint: "Below the border of a backend only the canonical path is known: put that of the call into the sentence at the border.",
    run: pathsAsWritten,
  },
];
