import type { Case } from "../cases/case.js";
import type { CaseContext } from "../engine/case-context.js";
import { Eyes } from "../eyes/eyes.js";
import { lookOf, textOf, treeOf } from "../eyes/tree.js";
import { FileModel } from "../model/file-model.js";
import { checkAnswer, resultOf } from "./check-answer.js";
import { checkStored } from "./check-stored.js";
import { cellId, requireOffered, type Prediction, type Row } from "./row.js";
import type { Situation } from "./situation.js";
import { NEW_SITUATIONS, SITUATIONS } from "./situations.js";

/** The cases of one row: the method in every situation. */
export function situationCells(row: Row): Case[] {
  return [...SITUATIONS, ...NEW_SITUATIONS]
    .filter((situation) => openSituation(row, situation) === undefined)
    .map((situation) => cell(row, situation));
}

/** Methods that create a file at the path. */
const CREATING: ReadonlySet<string> = new Set(["write", "uploadFiles", "move-to", "copy-to"]);

/** Why the rules say nothing of a method in a situation, if so. */
export function openSituation(row: Row, { id }: Situation): string | undefined {
  if (id.endsWith("-new") && !CREATING.has(row.id))
    return "it creates no file, or does so elsewhere";
  if (id === "file-written-as-directory" && (row.method === "move" || row.method === "copy"))
    return "move and copy take files and directories, so that a trailing slash is open";
  return undefined;
}

/** What is asserted of every view after a change, whichever method made it. */
const SEEN = ["A6", "L1", "L2", "F1", "F2", "G1", "S1", "R1", "R9", "T1"];

/** The cells that cite those rules: a few of many that all check them. */
function seesAll(row: Row, { id }: Situation): boolean {
  return (
    row.kind === "change" &&
    ["text", "empty", "directory", "missing", "long-line", "many-lines"].includes(id)
  );
}

function cell(row: Row, situation: Situation): Case {
  return {
    id: cellId(row, situation.id),
    rules: [...situation.rules, ...row.rules, ...(seesAll(row, situation) ? SEEN : [])],
    level: "core",
    needs: [
      ...(row.need === undefined ? [] : [row.need]),
      ...(situation.needs ?? []),
      ...(stores(row) ? (situation.needsToStore ?? []) : []),
    ],
    why: `${row.method} where the path is this: ${situation.why}`,
    hint: "The files are compared through every method, which had all looked at them before the call.",
    run: (context) => meet(context, row, situation),
  };
}

/** Methods that put a file at the path, which some storages cannot refuse. */
export function stores({ kind, id }: Row): boolean {
  return (
    kind === "change" &&
    id !== "delete" &&
    !id.endsWith("-from") &&
    !id.startsWith("edit") &&
    id !== "multiEdit"
  );
}

async function meet(context: CaseContext, row: Row, situation: Situation): Promise<void> {
  requireOffered(context, row);
  const { profile, backend, check } = context;
  const given = { ...situation.given, ...row.beside };
  await context.given(given);
  const model = FileModel.of(profile);
  for (const [path, bytes] of treeOf(given)) model.put(path, bytes);
  const canonical = situation.canonical ?? situation.path;
  const bytes = model.files.get(canonical);
  const text = bytes === undefined ? undefined : (textOf(canonical, bytes) ?? lookOf(bytes));
  const before = new Map(model.files);
  const prediction = predictionOf(row, model, situation, canonical, text);
  const eyes = new Eyes(context);
  if (row.kind === "change") await eyes.prime(before, model.files);
  const what = `${row.method} of ${JSON.stringify(situation.path.slice(0, 80))}`;
  const answer = await backend.call(row.method, row.args(situation.path, text));
  const fails = !checkAnswer(check, row, answer, prediction, what, situation.rules[0]);
  const isNamed = canonical === situation.path && canonical !== "/" && canonical.length < 100;
  if (fails && isNamed && !row.batch)
    check.that(
      String(resultOf(row, answer)["error"]).includes(situation.path),
      `The error of ${what} should name the path, but it says ${JSON.stringify(resultOf(row, answer)["error"])}.`,
      "A6",
    );
  if (row.kind !== "change") return;
  const seen = await eyes.see(model.files, `after ${what}`);
  checkStored(check, resultOf(row, answer), { before, after: model.files, seen }, what);
}

/** P2 and D4: what a trailing slash makes of a call. */
function predictionOf(
  row: Row,
  model: FileModel,
  situation: Situation,
  canonical: string,
  text: string | undefined,
): Prediction {
  if (situation.trailingSlash !== true) return row.predict(model, canonical, text);
  if (row.file) return { codes: ["invalid_path"] };
  const isFile = model.isFile(canonical);
  if ((row.id === "delete" || row.id === "stat") && isFile) return { codes: ["not_directory"] };
  return row.predict(model, canonical, text);
}
