import type { CaseContext } from "../engine/case-context.js";
import type { GuardedBackend } from "../engine/guard.js";
import { linesOf, sortedPaths } from "../model/text-rules.js";
import { compareContents } from "./compare-contents.js";
import { compareListings } from "./compare-listings.js";
import { observe, type Observation, type Sights } from "./observe.js";
import { directoriesOf, lookOf, textOf, type Tree } from "./tree.js";
import { compareUntouched } from "./untouched.js";

/** Texts that one look adds to those searched for: of files that no look before had seen. */
const NEEDLES_PER_LOOK = 2;

/**
 * Looks at a whole tree through every method: read, readRaw, downloads, listings with sizes and times, glob, grep and,
 * where there is one, stat. What was ever looked for is looked for again, so that a view that kept the old answer shows.
 */
export class Eyes {
  readonly #context: CaseContext;
  readonly #backend: GuardedBackend;
  readonly #files = new Set<string>();
  readonly #needles = new Set<string>();
  readonly #texts = new Set<string>();

  readonly #glance: boolean;
  #primed: { readonly tree: Tree; readonly seen: Observation } | undefined;

  /** @param glance Looks at downloads and glob alone: enough after a call that should change nothing. */
  constructor(context: CaseContext, backend: GuardedBackend = context.backend, glance = false) {
    this.#context = context;
    this.#backend = backend;
    this.#glance = glance && context.profile.transfer;
  }

  /**
   * Looks without judging: what caches are filled with before a change.
   *
   * @param after The tree that the change will leave, so that what is not there yet is looked for too.
   */
  async prime(tree: Tree, after: Tree = tree): Promise<void> {
    this.#sights(after);
    const primed = new Map(tree);
    this.#primed = { tree: primed, seen: await observe(this.#backend, this.#sights(tree)) };
  }

  /**
   * Asserts that every view shows this tree and nothing else, and says nothing anew of the files that are as they were when the
   * eyes were primed.
   */
  async see(tree: Tree, when: string): Promise<Observation> {
    const sights = this.#sights(tree);
    const seen = await observe(this.#backend, sights);
    const { check, profile } = this.#context;
    const comparison = { check, tree, when, ghosts: profile.directories === "real" };
    compareListings(comparison, seen);
    compareContents(comparison, seen);
    if (this.#primed !== undefined) compareUntouched(check, this.#primed, { tree, seen }, when);
    const lines = seen.grep.size === 0 ? [] : searchableLines(tree);
    for (const [needle, { matches }] of seen.grep) {
      check.equal(
        linesFound(matches),
        lines.filter(([, , text]) => text.includes(needle)),
        `What grep finds for ${JSON.stringify(needle)} ${when}`,
        "S1",
      );
    }
    return seen;
  }

  #sights(tree: Tree): Sights {
    for (const path of tree.keys()) this.#files.add(path);
    // What bytes look like is searched for too: they are not text, and must not be found.
    const texts = [...tree].map(([path, bytes]) => textOf(path, bytes) ?? lookOf(bytes));
    const most = this.#needles.size + NEEDLES_PER_LOOK;
    for (const text of texts) if (!this.#texts.has(text)) this.#remember(text, most);
    const files = sortedPaths(this.#files);
    const { transfer } = this.#context.profile;
    if (this.#glance) return { files, directories: [], needles: [], transfer, glance: true };
    return {
      files,
      directories: sampled(directoriesOf(files)),
      needles: [...this.#needles],
      transfer,
    };
  }

  #remember(text: string, most: number): void {
    this.#texts.add(text);
    const line = linesOf(text).find((candidate) => candidate.trim() !== "");
    const needle = Array.from(line?.replace(/\r?\n$/, "") ?? "")
      .slice(0, 24)
      .join("");
    if (needle !== "" && !needle.includes("\r") && this.#needles.size < most)
      this.#needles.add(needle);
  }
}

/** The outermost and the innermost of very many directories. */
function sampled(directories: readonly string[]): readonly string[] {
  return directories.length <= 12
    ? directories
    : [...directories.slice(0, 4), ...directories.slice(-8)];
}

function linesFound(matches: unknown): unknown {
  if (!Array.isArray(matches)) return matches;
  return matches.map((match: Record<string, unknown>) => [
    match["path"],
    match["line"],
    match["text"],
  ]);
}

/** S1 to S3: every line of every text file, in the order of a search. */
function searchableLines(tree: Tree): Array<[path: string, line: number, text: string]> {
  return sortedPaths(tree.keys()).flatMap((path) =>
    linesOf(textOf(path, tree.get(path) ?? new Uint8Array()) ?? "").map(
      (line, index): [string, number, string] => [path, index + 1, line.replace(/\r?\n$/, "")],
    ),
  );
}
