import { guardListener } from "../call/guard-listener.js";
import { grepVisible } from "../call/grep-visible.js";
import { pageVisible } from "../call/page-visible.js";
import { isPromise } from "../concurrency/maybe-promise.js";
import type { FilesystemOperation, MethodName } from "../call/methods.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { failure } from "../errors/messages.js";
import type { Failure, MaybePromise } from "../types/outcome.js";
import type { Filesystem } from "../types/protocol.js";
import type { FileInfo, GlobResult, GrepMatch, GrepResult } from "../types/results.js";
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
      const asked = this.#before(call);
      const refused = isPromise(asked) ? await asked : asked;
      if (refused !== undefined) return refuse(refused);
    }
    const result = await proceed();
    for (const call of calls) {
      const noted = this.#after(call, result);
      if (isPromise(noted)) await noted;
    }
    return result;
  }

  /** What a glob finds, without the files that may not be read. */
  found(args: Parameters<Filesystem["glob"]>, glob: Filesystem["glob"]): Promise<GlobResult> {
    const [pattern, path, options] = args;
    if (this.#policy.beforeRead === undefined) return glob(...args);
    const allowed = new Map<string, boolean>();
    return pageVisible(
      (page) => glob(pattern, path, page),
      options,
      (files) => {
        const kept = (): FileInfo[] => files.filter((file) => allowed.get(file.path) === true);
        const judged = this.#judge("glob", args, files, allowed);
        return isPromise(judged) ? judged.then(kept) : kept();
      },
    );
  }

  /** The matches in files that may be read, as if the others did not exist. */
  search(args: Parameters<Filesystem["grep"]>, grep: Filesystem["grep"]): Promise<GrepResult> {
    const [, , , maxCount] = args;
    const capped = typeof maxCount === "number" && Number.isSafeInteger(maxCount) && maxCount >= 0;
    const open = maxCount === undefined || maxCount === null;
    if (this.#policy.beforeRead === undefined || !(capped || open)) return grep(...args);
    const allowed = new Map<string, boolean>();
    return grepVisible(grep, args, (matches) => {
      const kept = (): GrepMatch[] => matches.filter(({ path }) => allowed.get(path) === true);
      const judged = this.#judge("grep", args, matches, allowed);
      return isPromise(judged) ? judged.then(kept) : kept();
    });
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

  /** Notes for every path that is new whether it may be read, one after another. A promise only where a hook answers with one. */
  #judge(
    method: MethodName,
    args: readonly unknown[],
    items: ReadonlyArray<{ readonly path: string }>,
    allowed: Map<string, boolean>,
  ): MaybePromise<void> {
    for (const [at, { path }] of items.entries()) {
      if (allowed.has(path)) continue;
      const refused = this.#before({ method, args, operation: "read", path });
      if (isPromise(refused))
        return this.#judgeLate(method, args, items.slice(at + 1), allowed, [path, refused]);
      allowed.set(path, refused === undefined);
    }
  }

  async #judgeLate(
    method: MethodName,
    args: readonly unknown[],
    items: ReadonlyArray<{ readonly path: string }>,
    allowed: Map<string, boolean>,
    [first, refused]: readonly [path: string, refused: Promise<Failure | undefined>],
  ): Promise<void> {
    allowed.set(first, (await refused) === undefined);
    for (const { path } of items) {
      if (allowed.has(path)) continue;
      allowed.set(
        path,
        (await this.#before({ method, args, operation: "read", path })) === undefined,
      );
    }
  }

  /** The failure of a call that a hook refuses. A promise only where the hook answers with one. */
  #before(call: PolicyCall): MaybePromise<Failure | undefined> {
    const failed = (error: unknown): Failure => {
      guardListener(() => this.#policy.onError?.(error, call));
      return failureFromThrown(error, call.path);
    };
    const judged = (reason: unknown): Failure | undefined =>
      typeof reason === "string" ? failure("permission_denied", call.path, reason) : undefined;
    try {
      const reason = this.#policy[BEFORE[call.operation]]?.(call);
      return isPromise(reason) ? reason.then(judged, failed) : judged(reason);
    } catch (error) {
      return failed(error);
    }
  }

  #after(call: PolicyCall, result: unknown): MaybePromise<void> {
    const failed = (error: unknown): void =>
      guardListener(() => this.#policy.onError?.(error, call));
    try {
      const noted = this.#policy[AFTER[call.operation]]?.(call, result);
      return isPromise(noted) ? noted.then(undefined, failed) : undefined;
    } catch (error) {
      return failed(error);
    }
  }
}
