import { guardListener } from "../call/guard-listener.js";
import { grepVisible } from "../call/grep-visible.js";
import type { FilesystemOperation, MethodName } from "../call/methods.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { failure } from "../errors/messages.js";
import type { Failure } from "../types/outcome.js";
import type { FileInfo, GlobResult, GrepResult } from "../types/results.js";
import type { CheckFiles } from "./checked-tree.js";
import { filterBatch } from "./filter-batch.js";
import type { Access } from "./intercept.js";
import type { Policy, PolicyCall } from "./policy-types.js";

const BEFORE = {
  read: "beforeRead",
  write: "beforeWrite",
  delete: "beforeDelete",
  execute: "beforeExecute",
} as const satisfies Record<FilesystemOperation, keyof Policy>;

const AFTER = {
  read: "afterRead",
  write: "afterWrite",
  delete: "afterDelete",
  execute: "afterExecute",
} as const satisfies Record<FilesystemOperation, keyof Policy>;

/** The names of all hooks. */
export const HOOKS: readonly string[] = [
  ...Object.values(BEFORE),
  ...Object.values(AFTER),
  "onError",
];

/** The hooks of a policy, called so that none of them can make a call reject. */
export class PolicyHooks {
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** A call between the hooks of its accesses. */
  async around<R>(
    calls: readonly PolicyCall[],
    proceed: () => Promise<R>,
    refuse: (failure: Failure) => R,
  ): Promise<R> {
    for (const call of calls) {
      const refused = await this.#before(call);
      if (refused !== undefined) return refuse(refused);
    }
    const result = await proceed();
    for (const call of calls) await this.#after(call, result);
    return result;
  }

  /** What a glob found, without the files that may not be read. */
  async found(args: readonly unknown[], result: GlobResult): Promise<GlobResult> {
    if (result.files === undefined || this.#policy.beforeRead === undefined) return result;
    const files: FileInfo[] = [];
    for (const file of result.files)
      if (await this.#allowsReading("glob", args, file.path)) files.push(file);
    return { ...result, files };
  }

  /** The matches in files that may be read, as if the others did not exist. */
  async search(
    args: readonly unknown[],
    maxCount: number | null | undefined,
    ask: (maxCount: number | null | undefined) => Promise<GrepResult>,
  ): Promise<GrepResult> {
    const capped = typeof maxCount === "number" && Number.isSafeInteger(maxCount) && maxCount >= 0;
    const open = maxCount === undefined || maxCount === null;
    if (this.#policy.beforeRead === undefined || !(capped || open)) return ask(maxCount);
    const allowed = new Map<string, boolean>();
    return grepVisible(
      ask,
      async (matches) => {
        for (const { path } of matches)
          if (!allowed.has(path)) allowed.set(path, await this.#allowsReading("grep", args, path));
        return matches.filter(({ path }) => allowed.get(path) === true);
      },
      maxCount,
    );
  }

  /** A call on a file or a whole directory, with hooks for each file that it touches. */
  async tree<R>(
    method: MethodName,
    args: readonly unknown[],
    run: (check: CheckFiles<readonly Access[]>) => Promise<R>,
  ): Promise<R> {
    let touched: PolicyCall[] = [];
    const result = await run(async (files) => {
      touched = files.flat().map((access) => ({ method, args, ...access }));
      for (const call of touched) {
        const refused = await this.#before(call);
        if (refused !== undefined) {
          touched = [];
          return refused;
        }
      }
      return undefined;
    });
    for (const call of touched) await this.#after(call, result);
    return result;
  }

  /** A batch of which each file is judged alone: a refused one stops nothing. */
  async batch<Item, Response>(
    items: readonly Item[],
    callOf: (item: Item) => PolicyCall,
    refuse: (item: Item, failure: Failure) => Response,
    transfer: (allowed: Item[]) => Promise<Response[]>,
  ): Promise<Response[]> {
    const responses = await filterBatch(
      items,
      (item) => this.#before(callOf(item)),
      refuse,
      transfer,
    );
    for (const [index, item] of items.entries()) await this.#after(callOf(item), responses[index]);
    return responses;
  }

  async #allowsReading(
    method: MethodName,
    args: readonly unknown[],
    path: string,
  ): Promise<boolean> {
    return (await this.#before({ method, args, operation: "read", path })) === undefined;
  }

  async #before(call: PolicyCall): Promise<Failure | undefined> {
    try {
      const reason = await this.#policy[BEFORE[call.operation]]?.(call);
      return typeof reason === "string"
        ? failure("permission_denied", call.path, reason)
        : undefined;
    } catch (error) {
      guardListener(() => this.#policy.onError?.(error, call));
      return failureFromThrown(error, call.path);
    }
  }

  async #after(call: PolicyCall, result: unknown): Promise<void> {
    try {
      await this.#policy[AFTER[call.operation]]?.(call, result);
    } catch (error) {
      guardListener(() => this.#policy.onError?.(error, call));
    }
  }
}
