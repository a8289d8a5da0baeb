import type { CaseContext } from "../engine/case-context.js";
import { hasFailed } from "../engine/checker.js";
import { Eyes } from "../eyes/eyes.js";
import { textOf, treeOf } from "../eyes/tree.js";
import { FileModel } from "../model/file-model.js";
import type { Behaviour } from "./behaviour.js";
import { checkAnswer, resultOf } from "./check-answer.js";
import { EDIT_ROWS, MULTI_EDIT_ROWS } from "./edit-rows.js";
import { optionsIndexOf, requireOffered, type Row } from "./row.js";
import { relocationRows } from "./relocation-rows.js";
import { DELETE_ROW, UPLOAD_ROW, WRITE_ROW } from "./store-rows.js";

/** What may follow a change. */
const SEQUELS: readonly Row[] = [
  WRITE_ROW,
  UPLOAD_ROW,
  ...EDIT_ROWS,
  ...MULTI_EDIT_ROWS,
  DELETE_ROW,
  ...relocationRows("move"),
  ...relocationRows("copy"),
];

const [EDIT_ROW = WRITE_ROW] = EDIT_ROWS;

const TEXT = "one\ntwo\n";

/** The first call: as it is, on the right version, or refused for one reason or another. */
type Opening = (context: CaseContext, path: string) => Promise<Record<string, unknown> | undefined>;

const OPENINGS: Readonly<Record<string, Opening>> = {
  "as it is": async () => ({}),
  "at its version": async ({ backend }, path) => {
    const { version } = await backend.read(path);
    return version === undefined ? undefined : { ifVersion: version };
  },
  "at a version that never was": async () => ({ ifVersion: "no such version" }),
  aborted: async () => ({ signal: AbortSignal.abort() }),
  "with an unknown option": async () => ({ nope: true }),
};

/** Which openings a method can have under a profile. */
function openingsOf({ profile }: CaseContext, row: Row): string[] {
  return Object.keys(OPENINGS).filter((name) => {
    if (name.includes("version")) return row.versioned && profile.versions;
    return name !== "aborted" || profile.signals;
  });
}

/** Which methods can follow under a profile. */
function sequelsOf({ profile }: CaseContext): Row[] {
  const claims: Readonly<Record<string, unknown>> = { ...profile };
  return SEQUELS.filter(({ need }) => need === undefined || claims[need] !== false);
}

/** Makes one call after another on one path, each pair in a directory of its own, and looks at all of them in the end. */
async function thenEveryChange(context: CaseContext, row: Row): Promise<void> {
  const { profile } = context;
  const model = FileModel.of(profile);
  const pairs = openingsOf(context, row).flatMap((opening) =>
    sequelsOf(context).map((sequel, n) => ({
      opening,
      sequel,
      path: `/then/${opening.replaceAll(" ", "-")}/${n}/a${n}.txt`,
    })),
  );
  const given = Object.fromEntries(pairs.map(({ path }, n) => [path, `${TEXT}${n}\n`]));
  await context.given(given);
  for (const [path, bytes] of treeOf(given)) model.put(path, bytes);
  for (const { opening, sequel, path } of pairs) {
    context.transcript.clear();
    const options = await OPENINGS[opening]?.(context, path);
    if (options === undefined) continue;
    await besides(context, model, row);
    await call(context, model, row, { path, options, what: `${row.method} ${opening}` });
    await besides(context, model, sequel);
    const what = `${sequel.method} after ${row.method} ${opening}`;
    await call(context, model, sequel, { path, what });
    // What was moved or copied is on its own from then on.
    const target = `/target/${path.slice(path.lastIndexOf("/") + 1)}`;
    if (model.isFile(target))
      // Another change than that of the source, so that what is shared shows.
      await call(context, model, sequel.method === "edit" ? UPLOAD_ROW : EDIT_ROW, {
        path: target,
        what: `${what}, at where it was put`,
      });
    if (context.signal.aborted) return;
    for (const left of ["/source", "/target"])
      if (model.below(left).length > 0 && profile.delete)
        await call(context, model, DELETE_ROW, { path: left, what: "the clearing up" });
  }
  await new Eyes(context).see(model.files, `after ${row.method} and what followed it`);
}

/** Puts there what a row needs besides its subject. */
async function besides(context: CaseContext, model: FileModel, row: Row): Promise<void> {
  const missing = Object.entries(row.beside).filter(([path]) => !model.isFile(path));
  if (missing.length === 0) return;
  const files = Object.fromEntries(missing);
  await context.given(files);
  for (const [path, bytes] of treeOf(files)) model.put(path, bytes);
}

/** One call on a file, judged by the model: refused where its options say so, and as the rules have it otherwise. */
async function call(
  context: CaseContext,
  model: FileModel,
  row: Row,
  { path, options = {}, what }: { path: string; options?: Record<string, unknown>; what: string },
): Promise<void> {
  const { backend, check } = context;
  requireOffered(context, row);
  const bytes = model.files.get(path);
  const text = bytes === undefined ? undefined : textOf(path, bytes);
  const args = row.args(path, text, options);
  const answer = await backend.call(row.method, args.slice(0, optionsIndexOf(row) + 1));
  const result = resultOf(row, answer);
  const wrong = { nope: "invalid_argument", signal: "aborted", ifVersion: "conflict" };
  const [refusal] = Object.entries(wrong).filter(([name]) => name in options);
  if (refusal !== undefined && options["ifVersion"] === "no such version")
    check.failed(result, ["conflict", "invalid_argument"], what, "W5");
  else if (refusal !== undefined && refusal[0] !== "ifVersion") {
    // A batch says it of each file, in one of four words.
    if (row.batch) check.that(hasFailed(result), `${what} should have failed.`, "A9");
    else check.failed(result, [refusal[1], "unsupported"], what, "A9");
  } else {
    // W5: in either mode the version replaces.
    if (row.id === "write" && refusal !== undefined) model.files.delete(path);
    checkAnswer(check, row, answer, row.predict(model, path, text), what, "A7");
  }
}

/** A7, for every two changes. */
export const SEQUEL_BEHAVIOURS: readonly Behaviour[] = [
  {
    id: "then-every-change",
    rules: ["A7", "D1", "W1", "A8", "A9", "W5"],
    needs: ["transfer", "collisions=refused"],
    why: "A change, and one that was refused, leaves nothing behind that disturbs the next change of the same file.",
    // Some 300 calls in a row: where each takes a tenth of a second, they take half a minute.
    patience: 2,
    hint: "No tombstone, no lock, no link to what was copied, no flag of a call that failed.",
    without: (row) => (row.kind === "read" ? "it changes nothing" : undefined),
    run: thenEveryChange,
  },
];
