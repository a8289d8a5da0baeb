import fc from "fast-check";
import type { CaseContext } from "../engine/case-context.js";
import { treeOf } from "../eyes/tree.js";
import { FileModel } from "../model/file-model.js";
import { show } from "../report/render.js";
import { CALLS } from "./generated-calls.js";
import { canonicalOf } from "./canonical-of.js";

const GIVEN: Readonly<Record<string, string>> = {
  "/b/a.txt": "same\n",
  "/b/é.txt": "\ufeffother\r\n",
  "/b/empty": "",
  "/b/d/x.bin": "\u0000bytes",
  "/b/d/.h/picture.png": "picture",
  "/b/constructor": "same\n",
};

/** Each kind of path that a batch may hold: files, what is none, and what is no path. */
const PATHS = [
  ...Object.keys(GIVEN),
  "/b//d/./x.bin",
  "/b/d",
  "/b",
  "/",
  "/b/none",
  "/none/at/all",
  "/b/a.txt/below",
  "/b/a.txt/",
  "relative",
  "/b/../a.txt",
];

/** Every two of them, in either order, and each twice: what one item leaves behind, the next one meets. */
const PAIRS = PATHS.flatMap((first) => PATHS.map((second) => [first, second]));

/** What the rules say of one item: its content, or the codes of its refusal. */
function verdictOf(model: FileModel, path: string): Uint8Array | readonly string[] {
  const problem = !path.startsWith("/") || path.includes("/..");
  if (problem) return ["invalid_path"];
  if (path === "/") return ["is_directory", "invalid_path"];
  if (path.endsWith("/")) return ["invalid_path"];
  const canonical = canonicalOf(path);
  if (model.isDirectory(canonical)) return ["is_directory"];
  return model.files.get(canonical) ?? ["not_found"];
}

/** Batches of files, of what is none, and of what is no path, against the rules one by one. */
export async function downloadsAgainstTwin(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const model = new FileModel({ overwrites: false, refusesCollisions: true });
  await context.given(GIVEN);
  for (const [path, bytes] of treeOf(GIVEN)) model.put(path, bytes);
  const generated = fc.sample(fc.array(fc.constantFrom(...PATHS), { maxLength: 9 }), {
    seed: context.seed,
    numRuns: CALLS[context.tier],
  });
  for (const batch of [...PAIRS, PATHS, PATHS.toReversed(), ...generated]) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const answers = await backend.downloadFiles([...batch]);
    check.equal(answers.length, batch.length, `The answers to ${show(batch)}`, "T1");
    for (const [n, path] of batch.entries()) {
      const what = `Item ${n} of a download of ${show(batch)}`;
      const { content, error, code, path: named } = answers[n] ?? { path: undefined };
      const verdict = verdictOf(model, path);
      if (named !== canonicalOf(path)) check.equal(named, path, `The path of ${what}`, "A3");
      if (verdict instanceof Uint8Array) {
        check.equal(content, verdict, `The content of ${what}`, "T1");
        continue;
      }
      check.that(
        typeof error === "string",
        `${what} should fail with ${verdict.join(" or ")}.`,
        "T1",
      );
      if (profile.codes)
        check.that(
          verdict.some((one) => one === code),
          `${what} should fail with ${verdict.join(" or ")}, but its code is ${show(code)}.`,
          "T2",
        );
    }
  }
}
