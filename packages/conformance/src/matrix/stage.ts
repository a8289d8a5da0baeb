import type { CaseContext } from "../engine/case-context.js";
import { Eyes } from "../eyes/eyes.js";
import { treeOf } from "../eyes/tree.js";
import { FileModel } from "../model/file-model.js";
import type { Row } from "./row.js";

/** What the subject of a behaviour holds. */
export const SUBJECT_TEXT = "one\ntwo\n";

/** A row, a path on which its call succeeds, and the files around. */
export interface Stage {
  readonly row: Row;
  readonly path: string;
  readonly model: FileModel;
  readonly eyes: Eyes;
}

/** Whether the method creates its subject, so that nothing may be there. */
function creates(row: Row, overwrites: boolean): boolean {
  return row.id.endsWith("-to") || (row.id === "write" && !overwrites);
}

/** Puts the files of a behaviour there, below a directory of its own: where its call succeeds, and what is around. */
export async function placeOf(
  context: CaseContext,
  row: Row,
  directory = "/d",
): Promise<Omit<Stage, "eyes">> {
  const overwrites = context.profile.writeMode === "overwrite";
  const path =
    row.id === "ls" ? directory : `${directory}/${creates(row, overwrites) ? "new" : "a"}.txt`;
  const files = {
    [`${directory}/a.txt`]: SUBJECT_TEXT,
    [`${directory}/b.txt`]: "other\n",
    ...row.beside,
  };
  await context.given(files);
  const model = FileModel.of(context.profile);
  for (const [file, bytes] of treeOf(files)) model.put(file, bytes);
  return { row, path, model };
}

/** The same, looked at through every method. */
export async function stageOf(context: CaseContext, row: Row, directory = "/d"): Promise<Stage> {
  const place = await placeOf(context, row, directory);
  const eyes = new Eyes(context, context.backend, row.kind === "read");
  const after = place.model.clone();
  row.predict(after, place.path, SUBJECT_TEXT);
  await eyes.prime(place.model.files, after.files);
  return { ...place, eyes };
}
