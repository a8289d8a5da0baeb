import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();
/** More files than a cache forgets, or a change reports, in one go where it has a bound of a hundred or of two to the seventh. */
const FILES = 140;

const pathsBelow = (top: string): string[] => range(FILES).map((n) => `${top}/${n % 7}/${n}.txt`);
const textOf = (path: string, what: string): string => `${what} of ${path.split("/").at(-1)}\n`;

function filesBelow(top: string, what: string): Record<string, string> {
  return Object.fromEntries(pathsBelow(top).map((path) => [path, textOf(path, what)]));
}

/** Reads each of the files by itself, so that whatever keeps one has it. */
async function readEach(context: CaseContext, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const { content } = await context.backend.read(path);
    context.check.equal(content, text, `The content of ${path}`, "R1");
  }
}

async function requireGone({ backend, check }: CaseContext, top: string): Promise<void> {
  for (const path of pathsBelow(top))
    check.failed(
      await backend.read(path),
      "not_found",
      `read of ${path}, which was read before`,
      "R5",
    );
}

/** A7: one call changes many files that were read before, and each shows what it has become. */
async function movedAfterReads(context: CaseContext): Promise<void> {
  const files = filesBelow("/d", "the first");
  await context.given(files);
  await readEach(context, files);
  context.check.succeeded(await context.backend.move("/d", "/e"), "move of the directory", "M1");
  await requireGone(context, "/d");
  await readEach(context, filesBelow("/e", "the first"));
}

async function deletedAfterReads(context: CaseContext): Promise<void> {
  const files = filesBelow("/d", "the first");
  await context.given(files);
  await readEach(context, files);
  context.check.succeeded(await context.backend.delete("/d"), "delete of the directory", "D1");
  await requireGone(context, "/d");
}

async function replacedAfterReads(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const files = filesBelow("/d", "the first");
  await context.given(files);
  await readEach(context, files);
  const next = filesBelow("/d", "the second");
  const entries = Object.entries(next).map(([path, text]): [string, Uint8Array] => [
    path,
    encoder.encode(text),
  ]);
  for (const { error } of await backend.uploadFiles(entries))
    check.equal(error, null, "The error of an upload over a file", "T1");
  await readEach(context, next);
}

const HINT =
  "What is kept of files goes with every change, however many files one call has changed: a bound on notices is a bound on truth.";

/** Changes of many files at once, each of which was read before. */
export const manyReadBeforeCases: readonly Case[] = [
  {
    id: "move/many-read-before",
    rules: ["A7", "M1", "R5"],
    level: "core",
    needs: ["transfer", "move", "consistency=strong"],
    patience: 3,
    why: `A directory of ${FILES} files that moves leaves none of them behind, also for a reader that has just read each.`,
    hint: HINT,
    run: movedAfterReads,
  },
  {
    id: "delete/many-read-before",
    rules: ["A7", "D1", "R5"],
    level: "core",
    needs: ["transfer", "delete", "consistency=strong"],
    patience: 3,
    why: `Of a directory of ${FILES} files that is removed none can be read, also by a reader that has just read each.`,
    hint: HINT,
    run: deletedAfterReads,
  },
  {
    id: "upload/many-read-before",
    rules: ["A7", "T1", "R1"],
    level: "core",
    needs: ["transfer", "consistency=strong"],
    patience: 3,
    why: `A batch over ${FILES} files shows in each of them, also for a reader that has just read each.`,
    hint: HINT,
    run: replacedAfterReads,
  },
];
