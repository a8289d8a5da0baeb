import { failure } from "../errors/messages.js";
import type { Failure } from "../types/outcome.js";
import { canonicalPath } from "../paths/path.js";
import type { MaybePromise } from "../types/outcome.js";

import type { PermissionRules } from "./permission-rules.js";
import type { FilesystemOperation, MethodName } from "../call/methods.js";

/** What a human is asked. */
export interface PermissionRequest {
  readonly method: MethodName;
  readonly operation: FilesystemOperation;
  /** Canonical. `"/"` for `execute`. */
  readonly path: string;
  /** Paths below that a rule is about, when a directory is removed, moved or copied. */
  readonly below?: readonly string[];
  /** The command, for `execute`. */
  readonly command?: string;
}

/** Asks a human. What it throws goes through to the caller, so that a graph can pause. */
export type PermissionPrompt = (request: PermissionRequest) => MaybePromise<boolean>;

/** Decides single accesses, asking a human where a rule says so. */
export class PermissionGuard {
  readonly rules: PermissionRules;
  readonly #ask: PermissionPrompt | undefined;

  constructor(rules: PermissionRules, ask: PermissionPrompt | undefined) {
    this.rules = rules;
    this.#ask = ask;
  }

  /**
   * The failure of an access that is not allowed, decided before anything is looked at, so that it says nothing about
   * what exists. Where no one can be asked, `interrupt` is `deny`. A promise only where a human is asked.
   */
  check(
    method: MethodName,
    path: unknown,
    ...operations: readonly FilesystemOperation[]
  ): MaybePromise<Failure | undefined> {
    const canonical = canonicalPath(path);
    if (canonical.failure !== undefined) return canonical.failure;
    const modes = operations.map((operation) => this.rules.decide(operation, canonical.path));
    if (modes.includes("deny")) return failure("permission_denied", path);
    const asked = modes.indexOf("interrupt");
    const operation = operations[asked];
    if (operation === undefined) return undefined;
    return this.ask({ method, operation, path: canonical.path }).then((allowed) =>
      allowed ? undefined : failure("permission_denied", path),
    );
  }

  /** Asks a human; `false` without one. */
  async ask(request: PermissionRequest): Promise<boolean> {
    return (await this.#ask?.(request)) ?? false;
  }
}
