import { errnoOf, type NodeFilesystem } from "@fs/node";
import { HeldRedirects } from "./held-redirects.js";
import type { ScriptScopes } from "./script-scopes.js";
import { storeSeen } from "./store-seen.js";

/** Writes of scripts: the empty ones, with which a redirect opens its file, are held back until they could be observed. */
export class ScriptWrites {
  readonly #node: NodeFilesystem;
  readonly #scopes: ScriptScopes;
  readonly #held = new HeldRedirects();

  constructor(node: NodeFilesystem, scopes: ScriptScopes) {
    this.#node = node;
    this.#scopes = scopes;
  }

  /**
   * Runs a task where a backend may do what scripts may not, such as setting timers, once what it could see is stored.
   *
   * @param isLook Whether it changes nothing, so that what was seen before still holds.
   */
  async outside<T>(paths: readonly string[], task: () => Promise<T>, isLook = false): Promise<T> {
    const scope = this.#scopes.current;
    return this.#scopes.outside(async () => {
      const held = paths.flatMap((path) => this.#held.touching(path));
      if (held.length > 0 || !isLook) scope?.seen.clear();
      for (const path of held) await this.#release(path);
      return task();
    });
  }

  /** Stores what is held back. Returns what could not be. */
  async settle(): Promise<Error[]> {
    const tasks = this.#held.paths.map((path) => this.outside([path], async () => undefined));
    const settled = await Promise.allSettled(tasks);
    return settled.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    const scope = this.#scopes.current;
    if (bytes.length === 0 && scope !== undefined) {
      scope.seen.clear();
      return this.#held.hold(path, "truncate");
    }
    const isRedirect = this.#held.take(path) !== undefined;
    if (isRedirect) scope?.versions.delete(path);
    await this.outside([path], () => storeSeen(this.#node, path, bytes, scope?.versions));
  }

  async append(path: string, bytes: Uint8Array): Promise<void> {
    const scope = this.#scopes.current;
    if (bytes.length === 0 && scope !== undefined)
      return this.outside(
        [],
        async () => {
          if (scope.appends.isFile(path) || scope.seen.get(path)?.stat?.isFile === true) return;
          scope.seen.clear();
          this.#held.hold(path, "create");
        },
        true,
      );
    const isEmptied = this.#held.take(path) === "truncate";
    await this.outside([path], async () => {
      scope?.versions.delete(path);
      const seen = scope?.appends.take(path);
      await (isEmptied ? this.#node.writeFile(path, bytes) : this.#node.append(path, bytes, seen));
    });
  }

  async #release(path: string): Promise<void> {
    const held = this.#held.take(path);
    this.#scopes.current?.versions.delete(path);
    if (held === "truncate") await this.#node.writeFile(path, "");
    if (held === "create")
      await this.#node.store(path, new Uint8Array(), { ifAbsent: true }).catch((error: unknown) => {
        if (errnoOf(error) !== "EEXIST") throw error;
      });
  }
}
