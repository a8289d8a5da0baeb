import fc from "fast-check";
import type { CaseContext } from "../engine/case-context.js";
import { hasFailed } from "../engine/checker.js";
import { FileModel } from "../model/file-model.js";
import { Eyes } from "../eyes/eyes.js";
import type { Observation } from "../eyes/observe.js";
import { show } from "../report/render.js";
import { canonicalOf } from "./canonical-of.js";

/** Batches per run: each stores up to eight files, and is looked at through every view. */
const BATCHES = { quick: 25, full: 200, soak: 2000 } as const;

const encoder = new TextEncoder();

/** One file of a generated batch. `right` and `old` are versions that the file has, or had before another change. */
interface Item {
  readonly path: string;
  readonly content: string;
  readonly condition: "none" | "ifAbsent" | "right" | "old" | "unknown";
}

const PATHS = [
  "/b/a.txt",
  "/b/é.txt",
  "/b/d/x.bin",
  "/b/new.txt",
  "/b/d/e/new",
  "/b/__proto__",
  "/b/d",
  "/b/d/",
  "/b/a.txt/below",
  "relative",
  "/b/../a.txt",
  "/b//d/./x.bin",
];
const CONDITIONS = ["none", "ifAbsent", "right", "old", "unknown"] as const;

const item: fc.Arbitrary<Item> = fc.record({
  path: fc.constantFrom("/b/a.txt", ...PATHS),
  content: fc.constantFrom("same\n", "same\n", "", "other é\r\n", "\u0000bytes", "picture"),
  condition: fc.constantFrom("none", ...CONDITIONS),
});

/** Every path under every condition, with the content that is there and with another one. */
const CROSSED: ReadonlyArray<readonly Item[]> = CONDITIONS.flatMap((condition) =>
  ["same\n", "other"].map((content) => PATHS.map((path) => ({ path, content, condition }))),
);

const GIVEN: Readonly<Record<string, string>> = {
  "/b/a.txt": "same\n",
  "/b/é.txt": "",
  "/b/d/x.bin": "\u0000",
  "/b/constructor": "kept\n",
};

/** What the rules say of one file: the code of its refusal, or that it is stored. */
function verdictOf(
  model: FileModel,
  { condition }: Item,
  path: string,
): readonly string[] | undefined {
  const collision = model.collision(path);
  if (collision !== undefined) return condition === "none" ? collision : [...collision, "conflict"];
  const isThere = model.isFile(path);
  if (condition === "ifAbsent" && isThere) return ["already_exists"];
  if (condition === "old" || condition === "unknown") return ["conflict"];
  return condition === "right" && !isThere ? ["conflict"] : undefined;
}

function pathProblem(path: string): boolean {
  return !path.startsWith("/") || path.endsWith("/") || path.includes("/..");
}

/** Generated batches with conditions, refusals in between and the same content again, against the rules one by one. */
export async function uploadsAgainstTwin(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const batches = fc.sample(fc.array(item, { minLength: 1, maxLength: 8 }), {
    seed: context.seed,
    numRuns: BATCHES[context.tier],
  });
  const features: unknown = Reflect.get(context.instance.backend, "features");
  const conditional =
    profile.versions && Array.isArray(features) && features.includes("conditionalUploads");
  const model = new FileModel({ overwrites: true, refusesCollisions: true });
  for (const [path, text] of Object.entries(GIVEN)) model.put(path, encoder.encode(text));
  const eyes = new Eyes(context);
  for (const batch of [...CROSSED, ...batches]) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    // Each batch begins with the same files, so that versions of one kind are old and of another right.
    await context.given(GIVEN);
    const old = await versionsOf(context);
    await context.given(GIVEN);
    const right = await versionsOf(context);
    for (const [path, text] of Object.entries(GIVEN)) model.put(path, encoder.encode(text));
    await eyes.prime(model.files);
    const items = distinct(batch).map((one): Item => {
      const isUseless =
        !conditional ||
        (one.condition === "old" &&
          old.get(canonicalOf(one.path)) === right.get(canonicalOf(one.path)));
      return isUseless ? { ...one, condition: "none" } : one;
    });
    const files = items.map(({ path, content, condition }) => [
      path,
      encoder.encode(content),
      ...conditionOf(condition, canonicalOf(path), { old, right }),
    ]);
    const answers = (await backend.call("uploadFiles", [files])) as Array<Record<string, unknown>>;
    check.equal(answers.length, items.length, `The answers to ${show(items)}`, "T1");
    for (const [n, one] of items.entries()) {
      const what = `File ${n} of ${show(items)}`;
      const answer = answers[n] ?? {};
      const path = canonicalOf(one.path);
      const refusal = pathProblem(one.path) ? ["invalid_path"] : verdictOf(model, one, path);
      if (refusal === undefined) {
        check.that(
          !hasFailed(answer),
          `${what} should be stored, but answers ${show(answer)}.`,
          "T1",
        );
        model.put(path, encoder.encode(one.content));
        continue;
      }
      check.that(
        hasFailed(answer),
        `${what} should be refused with ${refusal.join(" or ")}.`,
        "T3",
      );
      if (profile.codes)
        check.that(
          refusal.some((code) => code === answer.code),
          `${what} should be refused with ${refusal.join(" or ")}, but answers ${show(answer)}.`,
          "T2",
        );
    }
    const seen = await eyes.see(model.files, `after ${show(items)}`);
    checkVersions(context, items, answers, seen);
    await clear(context, model);
  }
}

/** F3: the last answer of a path that was stored names the version and the size that are there. */
function checkVersions(
  { check }: CaseContext,
  items: readonly Item[],
  answers: ReadonlyArray<Readonly<Record<string, unknown>>>,
  seen: Observation,
): void {
  const last = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [n, { path, content }] of items.entries()) {
    const answer = answers[n] ?? {};
    const bytes = encoder.encode(content).length;
    if (!hasFailed(answer)) last.set(canonicalOf(path), { ...answer, bytes });
  }
  for (const [path, { version, size, bytes }] of last) {
    const shown = seen.read.get(path)?.["version"];
    const what = `that the last upload of ${show(path)} in ${show(items)} answers`;
    if (version !== undefined && shown !== undefined)
      check.equal(version, shown, `The version ${what}`, "F3");
    if (size !== undefined) check.equal(size, bytes, `The size ${what}`, "F3");
  }
}

/** One condition for each path: what a second one on the same file would meet is left to `upload/*`. */
function distinct(batch: readonly Item[]): Item[] {
  const seen = new Map<string, Item>();
  return batch.map((one) => {
    const before = seen.get(canonicalOf(one.path));
    seen.set(canonicalOf(one.path), one);
    return before === undefined
      ? one
      : { ...one, condition: before.condition === "none" ? "none" : "ifAbsent" };
  });
}

async function versionsOf({ backend }: CaseContext): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for (const path of Object.keys(GIVEN)) found.set(path, (await backend.read(path)).version);
  return found;
}

function conditionOf(
  condition: Item["condition"],
  path: string,
  versions: { old: Map<string, string | undefined>; right: Map<string, string | undefined> },
): object[] {
  switch (condition) {
    case "none":
      return [];
    case "ifAbsent":
      return [{ ifAbsent: true }];
    case "right":
    case "old":
      return [{ ifVersion: versions[condition].get(path) ?? "no such version" }];
    case "unknown":
      return [{ ifVersion: "no such version" }];
  }
}

/** Removes what a batch added, where that is possible, so that the next one creates it again. */
async function clear({ backend, profile, check }: CaseContext, model: FileModel): Promise<void> {
  if (!profile.delete) return;
  for (const path of [...model.files.keys()].filter((file) => !(file in GIVEN))) {
    check.succeeded(await backend.delete(path), `delete of ${show(path)}`, "D1");
    model.remove(path);
  }
}
