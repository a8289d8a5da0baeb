import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { AppendTargets } from "./append-targets.js";
import { StatCache } from "./stat-cache.js";

/** What the calls of one run of a script share. */
interface Scope {
  readonly signal: AbortSignal | undefined;
  /** What was asked for just now. */
  readonly seen: StatCache;
  /** The versions of the files that the script has read or written. */
  readonly versions: Map<string, string>;
  readonly appends: AppendTargets;
  /** The surroundings of whoever ran the script. */
  readonly outside: AsyncResource;
}

/** The running scripts. just-bash forbids timers and more while one runs, which backends need. */
export class ScriptScopes {
  readonly #scopes = new AsyncLocalStorage<Scope>();
  readonly #alone = new AsyncResource("BashFilesystem");

  /** The script that makes the running call, if any. */
  get current(): Scope | undefined {
    return this.#scopes.getStore();
  }

  async run<T>(signal: AbortSignal | undefined, script: () => Promise<T>): Promise<T> {
    const scope = {
      signal,
      seen: new StatCache(),
      versions: new Map<string, string>(),
      appends: new AppendTargets(),
      outside: this.#alone,
    };
    // Made within a scope, so that what runs outside of the script still knows its signal.
    const outside = this.#scopes.run(scope, () => new AsyncResource("BashScript"));
    return this.#scopes.run({ ...scope, outside }, script);
  }

  /** Runs a task where whoever ran the script is, with its caller. */
  outside<T>(task: () => Promise<T>): Promise<T> {
    return (this.current?.outside ?? this.#alone).runInAsyncScope(task);
  }
}
