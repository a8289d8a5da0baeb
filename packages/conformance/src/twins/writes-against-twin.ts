import { hasFeature } from "../cases/code/feature.js";
import type { CaseContext } from "../engine/case-context.js";
import { hasFailed } from "../engine/checker.js";
import { Eyes } from "../eyes/eyes.js";
import { treeOf } from "../eyes/tree.js";
import { FileModel } from "../model/file-model.js";
import { show } from "../report/render.js";

const encoder = new TextEncoder();

/** What is written: every kind of text that careless code takes for nothing, or for something else. */
const CONTENTS = [
  "",
  "x",
  " \n\t",
  "\ufeffone\r\ntwo\nthree\r",
  "0",
  "long\n".repeat(9),
  "same é\n",
];

/** What is at the path before: nothing, and what is empty, longer, shorter, the same, or no text. */
const BEFORE: ReadonlyArray<string | undefined> = [
  undefined,
  "",
  "0",
  "same é\n",
  "a text that is longer than most\r\n".repeat(3),
  "\u0000bytes",
];

/** The condition of a write. `right` is the version that the file has, `old` one that it had. */
const CONDITIONS = ["none", "ifAbsent", "right", "old", "empty"] as const;

type Condition = (typeof CONDITIONS)[number];

/** One write: what, over what, and on which condition. */
interface Write {
  readonly path: string;
  readonly content: string;
  readonly before: string | undefined;
  readonly condition: Condition;
}

const WRITES: readonly Write[] = CONDITIONS.flatMap((condition) =>
  BEFORE.flatMap((before) => CONTENTS.map((content) => ({ condition, before, content }))),
).map((write, n) => ({ ...write, path: `/w${n % 5}/${write.condition}/${n}.txt` }));

/** W1, W5 and W8: the codes with which a write is refused; `undefined` where it is stored. */
function refusalOf(
  { before, condition }: Write,
  overwrites: boolean,
): readonly string[] | undefined {
  if (condition === "empty") return ["invalid_argument", "unsupported"];
  if (condition === "old") return ["conflict"];
  if (condition === "right") return before === undefined ? ["conflict"] : undefined;
  return before === undefined || (overwrites && condition === "none")
    ? undefined
    : ["already_exists"];
}

/** Every content over every other on every condition, each on a path of its own, and a look through every view in the end. */
export async function writesAgainstTwin(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const overwrites = profile.writeMode === "overwrite";
  const writes = WRITES.filter(
    ({ condition, before }) =>
      (condition === "none" ||
        (condition === "ifAbsent"
          ? hasFeature(context, "conditionalUploads")
          : profile.versions)) &&
      (profile.content === "bytes" || before?.includes("\0") !== true),
  );
  const given: Record<string, string> = {};
  for (const { path, before } of writes) if (before !== undefined) given[path] = before;
  const earlier = Object.fromEntries(Object.keys(given).map((path) => [path, `earlier ${path}`]));
  await context.given(earlier);
  const old = await versionsOf(context, Object.keys(given));
  await context.given(given);
  const right = await versionsOf(context, Object.keys(given));
  const model = new FileModel({ overwrites, refusesCollisions: false });
  for (const [path, bytes] of treeOf(given)) model.put(path, bytes);
  const eyes = new Eyes(context);
  await eyes.prime(model.files);
  for (const write of writes) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const { path, content, condition } = write;
    const versions = { right: right.get(path), old: old.get(path) };
    const answer = await backend.write(path, content, optionsOf(condition, versions));
    const what = `A write of ${show(content)} over ${show(write.before)} with the condition '${condition}'`;
    const refusal = refusalOf(write, overwrites);
    if (refusal !== undefined) {
      check.failed(answer, refusal, what, condition === "none" ? "W1" : "W5");
      continue;
    }
    check.succeeded(answer, what, "W5");
    const bytes = encoder.encode(content);
    model.put(path, bytes);
    if (hasFailed(answer)) continue;
    if (answer.size !== undefined)
      check.equal(answer.size, bytes.length, `The size that it answers: ${what}`, "F3");
    const { version } = await backend.read(path);
    if (answer.version !== undefined && version !== undefined)
      check.equal(answer.version, version, `The version that it answers: ${what}`, "F3");
    const changed = content !== write.before && write.before !== undefined;
    if (changed && version !== undefined)
      check.that(
        version !== right.get(path) && version !== old.get(path),
        `${what} should give a version that the file never had.`,
        "F2",
      );
  }
  await eyes.see(model.files, "after writes of every content on every condition");
}

function optionsOf(
  condition: Condition,
  { right, old }: { right: string | undefined; old: string | undefined },
): { ifVersion?: string; ifAbsent?: boolean } | undefined {
  switch (condition) {
    case "none":
      return undefined;
    case "ifAbsent":
      return { ifAbsent: true };
    case "right":
      return { ifVersion: right ?? "no such version" };
    case "old":
      return { ifVersion: old ?? "no such version" };
    case "empty":
      return { ifVersion: "" };
  }
}

async function versionsOf(
  { backend }: CaseContext,
  paths: readonly string[],
): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for (const path of paths) found.set(path, (await backend.read(path)).version);
  return found;
}
