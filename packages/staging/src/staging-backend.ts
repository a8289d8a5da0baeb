import { type ChangeSet, type IntentLog, intentLog, patchOf } from "@fs/changes";
import type { AnyBackendProtocol, CallOptions, Outcome } from "@fs/protocol";
import { MemoryBackend } from "@fs/protocol";
import {
  failureFromThrown,
  VolumeBackend,
  type VolumeBackendOptions,
  VolumeError,
} from "@fs/protocol/author";
import { BaseLayer } from "./base-layer.js";
import { checkOptions, checkSelection } from "./call-options.js";
import { type CommitOptions, type CommitReport, commitStaged } from "./commit.js";
import { discardStaged } from "./discard.js";
import { withoutInnerPaths } from "./inner-paths.js";
import type { Layers } from "./layers.js";
import { type RebaseOptions, type RebaseReport, rebaseStaged } from "./rebase.js";
import { contentBefore, stagedChanges } from "./staged-changes.js";
import { stagingVolume } from "./staging-volume.js";
import { UpperLayer } from "./upper-layer.js";

export interface StagingOptions extends VolumeBackendOptions {
  /**
   * Where staged changes are kept: any backend with versions and conditional uploads, used whole. Default: a
   * `MemoryBackend`, so that they end with the process.
   */
  upper?: AnyBackendProtocol;
  /** Milliseconds after which a commit of a process that died is taken over. Default 10,000. */
  leaseMs?: number;
}

/** Patterns of paths; without `/` a pattern matches the name at any depth. Default: all. */
export type Selection = string | readonly string[];

/**
 * Files with staged changes over them: reads see the changes, and the base is untouched until `commit`.
 *
 * @example
 * const staged = new StagingBackend(files, { upper: new PostgresBackend({ … }) });
 * await staged.edit("/plan.md", "draft", "final");
 * console.log((await staged.diff()).patch);
 * await staged.commit();
 */
export class StagingBackend extends VolumeBackend {
  readonly #layers: Layers;
  readonly #log: IntentLog;

  /** Throws a `TypeError` for a base that cannot upload, download and delete, and for an upper layer without conditions. */
  constructor(base: AnyBackendProtocol, options: StagingOptions = {}) {
    const { upper = new MemoryBackend(), leaseMs, ...rest } = options;
    if (upper === base) throw new TypeError("'upper' and the base must be two backends.");
    if (leaseMs !== undefined && !(leaseMs > 0)) throw new TypeError("'leaseMs' must be above 0.");
    const layers = { upper: new UpperLayer(upper), base: new BaseLayer(base) };
    super(stagingVolume(layers), rest);
    this.#layers = layers;
    this.#log = withoutInnerPaths(intentLog(upper, leaseMs === undefined ? {} : { leaseMs }));
  }

  /** What is staged, sorted by path: each file before and after, by hash. Fails with `invalid_argument`, `unavailable`. */
  async changes(only?: Selection, options: CallOptions = {}): Promise<Outcome<ChangeSet>> {
    return answered(() => {
      checkSelection("changes", only, options);
      return stagedChanges(this.#layers, only, options.signal);
    });
  }

  /** What is staged, as one unified patch that `git apply` takes. Fails with `invalid_argument`, `unavailable`. */
  async diff(only?: Selection, options: CallOptions = {}): Promise<Outcome<{ patch: string }>> {
    return answered(async () => {
      checkSelection("diff", only, options);
      const { signal } = options;
      const { changes } = await stagedChanges(this.#layers, only, signal);
      const patches: string[] = [];
      for (const { path, before, after } of changes) {
        const from = before && (await contentBefore(this.#layers, path, before, signal));
        const hash = after?.hash;
        const to = hash === undefined ? null : await this.#layers.upper.blobs.get(hash, signal);
        if (to === undefined) throw new VolumeError("unavailable", undefined, { path });
        patches.push(
          from === undefined ? changedSince(path) : patchOf({ path, before: from, after: to }),
        );
      }
      return { patch: patches.join("") };
    });
  }

  /**
   * Writes staged changes into the base, each file by a conditional call: what others changed is a conflict and
   * stays staged. Not atomic; the report says what became of each path. The same call after a crash resumes. Fails with
   * `conflict` while another process commits, `invalid_argument`, `unavailable`.
   */
  async commit(options: CommitOptions = {}): Promise<Outcome<CommitReport>> {
    return answered(() => {
      checkOptions("commit", options);
      return commitStaged(this.#layers, this.#log, options);
    });
  }

  /**
   * Takes staged changes back. Fails with `invalid_argument`, `unavailable`, and `conflict` where a file of the base would show again
   * above or below one that stays staged.
   */
  async discard(
    only?: Selection,
    options: CallOptions = {},
  ): Promise<Outcome<{ paths: string[] }>> {
    return answered(async () => {
      checkSelection("discard", only, options);
      return { paths: await discardStaged(this.#layers, only, options.signal) };
    });
  }

  /** Puts staged changes on the base as it is now: where both changed, merged or a conflict. Fails with `invalid_argument`, `unavailable`. */
  async rebase(options: RebaseOptions = {}): Promise<Outcome<{ paths: RebaseReport[] }>> {
    return answered(async () => {
      checkOptions("rebase", options);
      return { paths: await rebaseStaged(this.#layers, options) };
    });
  }
}

/** A backend with staged changes over a base. As `new StagingBackend`. */
export function withStaging(
  base: AnyBackendProtocol,
  options: StagingOptions = {},
): StagingBackend {
  return new StagingBackend(base, options);
}

/** A comment, which `git apply` passes over, so that it takes the other files of the patch. */
function changedSince(path: string): string {
  return `# ${path} was changed by somebody else since, so its change cannot be shown.\n`;
}

/** The answer of a call, or its failure. A selection that is no pattern is the caller's mistake. */
async function answered<T extends object>(task: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ...(await task()) };
  } catch (error) {
    const known =
      error instanceof TypeError ? new VolumeError("invalid_argument", error.message) : error;
    return failureFromThrown(known, "/");
  }
}
