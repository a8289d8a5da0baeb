import { isUncertainCode } from "../errors/certainty.js";
import { utf8Length } from "../host/utf8-length.js";
import { joinPath, prefixOf } from "../paths/segments.js";
import { applyEdits, replacementOf } from "../text/edit.js";
import type { EditOperation } from "../types/options.js";
import type { MaybePromise } from "../types/outcome.js";
import type { Filesystem } from "../types/protocol.js";
import { failureCode } from "./intercept.js";
import { mostGrowth } from "./most-growth.js";
import { canonicalOf, type Usage, type UsageChange } from "./quota-usage.js";

/** A change as it is planned. */
export interface ChangePlan {
  /** What it is about, and all that lies below. */
  readonly paths: readonly string[];
  /** What it makes of files, where that is known before. */
  readonly change?: UsageChange;
  /** True when it is about more than one file, so that it may fail on the way. */
  readonly tree?: boolean;
}

/** A path that is none is for the backend to refuse. */
const NOTHING: ChangePlan = { paths: [] };

/** What calls would change, found with as few looks at the backend as can be. */
export class ChangePlans {
  readonly #backend: Filesystem;
  readonly #usage: Usage;
  readonly #exceeds: (change: UsageChange) => boolean;

  constructor(backend: Filesystem, usage: Usage, exceeds: (change: UsageChange) => boolean) {
    this.#backend = backend;
    this.#usage = usage;
    this.#exceeds = exceeds;
  }

  store(written: string, bytes: number): ChangePlan {
    const path = canonicalOf(written);
    return path === undefined ? NOTHING : { paths: [path], change: new Map([[path, bytes]]) };
  }

  /** A promise only where the file has to be read. */
  edit(written: string, edits: readonly EditOperation[]): MaybePromise<ChangePlan> {
    const path = canonicalOf(written);
    if (path === undefined) return NOTHING;
    const plan = { paths: [path] };
    const size = this.#usage.size(path);
    if (!areEdits(edits)) return plan;
    // Mostly there is room for the most that the edit could need; then its answer says what it did need.
    if (size !== undefined && !this.#exceeds(new Map([[path, size + mostGrowth(edits, size)]])))
      return plan;
    return this.#editExactly(path, edits);
  }

  async #editExactly(path: string, edits: readonly EditOperation[]): Promise<ChangePlan> {
    const plan = { paths: [path] };
    const { data } = await this.#backend.readRaw(path);
    if (typeof data?.content !== "string") return plan;
    const outcome = applyEdits(data.content, edits.map(replacementOf));
    if (outcome.refusal !== undefined) return plan;
    return { ...plan, change: new Map([[path, utf8Length(outcome.text)]]) };
  }

  remove(written: string): ChangePlan {
    const path = canonicalOf(written);
    if (path === undefined) return NOTHING;
    const files = this.#usage.below(path);
    const change = new Map(files.map((file) => [file, undefined]));
    return { paths: [path], change, tree: isTree(files, path) };
  }

  transfer(from: string, to: string, keep: boolean): ChangePlan {
    const [source, target] = [canonicalOf(from), canonicalOf(to)];
    if (source === undefined || target === undefined) return NOTHING;
    const files = this.#usage.below(source);
    const change = new Map<string, number | undefined>();
    for (const file of files) {
      if (!keep) change.set(file, undefined);
      const rest = file === source ? "" : file.slice(prefixOf(source).length);
      change.set(joinPath(target, rest), this.#usage.size(file));
    }
    return { paths: [source, target], change, tree: isTree(files, source) };
  }
}

/**
 * Takes the answer of a call into account. What is not known afterwards is looked at before the next change: what a call is
 * about that may or may not have taken effect, or failed on the way, or does not say how large a file it left.
 */
export function settle(usage: Usage, plan: ChangePlan, result: unknown): void {
  const { paths, tree = false } = plan;
  const code = failureCode(result);
  const change = code === undefined ? (plan.change ?? changeBy(result, paths[0])) : undefined;
  if (change !== undefined) usage.apply(change);
  else if (code === undefined || tree || isUncertainCode(code))
    for (const path of paths) usage.doubt(path);
}

function changeBy(result: unknown, path: string | undefined): UsageChange | undefined {
  if (path === undefined || typeof result !== "object" || result === null) return undefined;
  return "size" in result && typeof result.size === "number"
    ? new Map([[path, result.size]])
    : undefined;
}

function isTree(files: readonly string[], path: string): boolean {
  return files.some((file) => file !== path);
}

/** The backend refuses anything else; here it only must not throw. */
function areEdits(edits: readonly EditOperation[]): boolean {
  return (
    Array.isArray(edits) &&
    edits.every((edit) => typeof edit?.old === "string" && typeof edit.new === "string")
  );
}
