import type { BackendProtocolV2 } from "@fs/protocol";
import type { Tier } from "../cases/case.js";
import type { Harness, Instance } from "../harness/harness.js";
import { instanceOf } from "../harness/harness.js";
import type { Profile } from "../harness/profile.js";
import { show } from "../report/render.js";
import { CheckFailure, NotApplicable, Untested } from "./check-failure.js";
import { Checker } from "./checker.js";
import { GuardedBackend } from "./guard.js";
import { Transcript } from "./transcript.js";

/** The content of a file: text for what is written as text, bytes for anything else. */
export type Content = string | Uint8Array;

/** What a context is made of. */
export interface CaseSetting {
  readonly harness: Harness;
  readonly profile: Profile;
  readonly instance: Instance;
  readonly tier: Tier;
  readonly seed: number;
  /** Where in the random choices of the seed to begin again, as a failure of the model told. */
  readonly replay: string | undefined;
  /** Under-claimed capabilities fail. */
  readonly strict: boolean;
  readonly signal: AbortSignal;
  /** Answers of {@link CaseContext.once}, shared by all cases of a run. */
  readonly memo: Map<string, Promise<unknown>>;
  /** Makes an isolated backend of another namespace. */
  readonly createInstance: (ns: string) => Promise<Instance>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What a running case works with: the guarded backend, its assertions, and everything it opened. */
export class CaseContext {
  readonly profile: Profile;
  readonly harness: Harness;
  readonly instance: Instance;
  readonly tier: Tier;
  /** Of every random choice of the run. */
  readonly seed: number;
  readonly strict: boolean;
  readonly replay: string | undefined;
  readonly signal: AbortSignal;
  readonly check: Checker;
  readonly backend: GuardedBackend;
  readonly transcript = new Transcript();
  /** What happened that is worth a word in the report, though nothing failed. */
  readonly warnings: string[] = [];
  /** The first rule of all calls that a call broke, also where the case did not look. */
  violation: CheckFailure | undefined;
  readonly #setting: CaseSetting;
  readonly #opened: Instance[] = [];
  readonly #closing: Array<() => Promise<void>> = [];

  constructor(setting: CaseSetting) {
    this.#setting = setting;
    this.profile = setting.profile;
    this.harness = setting.harness;
    this.instance = setting.instance;
    this.tier = setting.tier;
    this.seed = setting.seed;
    this.strict = setting.strict;
    this.replay = setting.replay;
    this.signal = setting.signal;
    this.check = new Checker(setting.profile.codes);
    this.backend = this.guard(setting.instance.backend, "");
  }

  /** Guards another backend; `client` names it in the transcript. */
  guard(backend: BackendProtocolV2, client: string): GuardedBackend {
    const { codes, consistency } = this.profile;
    return new GuardedBackend(backend, {
      transcript: this.transcript,
      client,
      codes,
      secrets: this.harness.secrets ?? [],
      eventualMs: consistency === "strong" ? 0 : consistency.eventualMs,
      onViolation: (failure) => (this.violation ??= failure),
    });
  }

  /** A second client of the same files. */
  async peer(): Promise<GuardedBackend> {
    return this.#open("peer", "peer");
  }

  /** The same files after a restart. */
  async reopen(): Promise<GuardedBackend> {
    return this.#open("reopen", "reopened");
  }

  /** Does something once per run, whichever case needs it first, and gives its answer to all. */
  once<T>(key: string, task: () => Promise<T>): Promise<T> {
    const known = this.#setting.memo.get(key) ?? task();
    this.#setting.memo.set(key, known);
    return known as Promise<T>;
  }

  /**
   * A backend of another namespace on the same storage. Its name begins with the case's own, so that a backend that
   * compares prefixes without a delimiter mixes the two.
   */
  async stranger(): Promise<GuardedBackend> {
    const ns = `${this.instance.ns}-${this.#opened.length}`;
    const instance = await this.#setting.createInstance(ns);
    this.#opened.push(instance);
    return this.guard(instance.backend, "stranger");
  }

  /** Puts files there before the case begins, at once where the backend can. Throws what the set-up breaks. */
  async given(files: Readonly<Record<string, Content>>, backend = this.backend): Promise<void> {
    const entries = Object.entries(files);
    const { fileBytes = Infinity } = this.profile.limits;
    if (entries.some(([, content]) => bytesIn(content) > fileBytes))
      throw new NotApplicable(`a file may have ${fileBytes} bytes here`);
    const textOnly = entries.every(([, content]) => typeof content === "string");
    if (textOnly && (entries.length === 1 || !this.profile.transfer)) {
      for (const [path, content] of entries) {
        const written = await backend.write(path, content as string);
        if (written.error !== undefined) throw setUpFailed(path, written.error);
      }
      return;
    }
    if (entries.length === 0) return;
    if (!this.profile.transfer) throw new NotApplicable("the profile has transfer: false");
    const uploads = await backend.uploadFiles(
      entries.map(([path, content]) => [
        path,
        typeof content === "string" ? encoder.encode(content) : content,
      ]),
    );
    for (const [index, [path]] of entries.entries()) {
      const error = uploads[index]?.error;
      if (error !== null && error !== undefined) throw setUpFailed(path, error);
    }
  }

  /** Asserts what files hold now, byte for byte; `null` for no file. */
  async holds(
    files: Readonly<Record<string, Content | null>>,
    backend = this.backend,
    rule?: string,
  ): Promise<void> {
    const paths = Object.keys(files);
    const contents = await this.contents(paths, backend);
    for (const path of paths) {
      const expected = files[path] ?? null;
      const actual = contents.get(path) ?? null;
      const shown =
        typeof expected === "string" && actual instanceof Uint8Array ? textOf(actual) : actual;
      const bytes =
        expected instanceof Uint8Array && typeof actual === "string"
          ? encoder.encode(actual)
          : shown;
      this.check.equal(bytes, expected, `The content of ${show(path)}`, rule);
    }
  }

  /** What files hold now; those that are not there are left out. */
  async contents(paths: readonly string[], backend = this.backend): Promise<Map<string, Content>> {
    const found = new Map<string, Content>();
    if (paths.length === 0) return found;
    if (this.profile.transfer) {
      const downloads = await backend.downloadFiles([...paths]);
      for (const [index, path] of paths.entries()) {
        const content = downloads[index]?.content;
        if (content !== null && content !== undefined) found.set(path, content);
      }
      return found;
    }
    for (const path of paths) {
      const { data } = await backend.readRaw(path);
      if (data !== undefined)
        found.set(path, Array.isArray(data.content) ? data.content.join("\n") : data.content);
    }
    return found;
  }

  /** Has a task done when the case is over, also where it never ended. */
  onClose(task: () => Promise<void>): void {
    this.#closing.push(task);
  }

  /** Undoes what the case began, and frees every further client that it opened. */
  async close(): Promise<void> {
    for (const task of this.#closing.splice(0)) await task();
    for (const instance of this.#opened.splice(0)) await instance.dispose?.();
  }

  async #open(part: "peer" | "reopen", client: string): Promise<GuardedBackend> {
    const make = this.harness[part]?.bind(this.harness);
    if (make === undefined) throw new Untested(`the harness has no '${part}'`);
    const instance = instanceOf(await make(this.instance), this.instance.ns);
    this.#opened.push(instance);
    return this.guard(instance.backend, client);
  }
}

function bytesIn(content: Content): number {
  return typeof content === "string" ? encoder.encode(content).length : content.length;
}

function textOf(bytes: Uint8Array): Content {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return bytes;
    throw error;
  }
}

function setUpFailed(path: string, error: string): CheckFailure {
  return new CheckFailure(
    `Setting the case up failed: ${show(path)} could not be stored: ${show(error)}`,
  );
}
