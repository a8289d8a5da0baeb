import { setTimeout as delay } from "node:timers/promises";
import { canonicalFilePath, comparePaths, type VolumeError } from "@fs/protocol/author";
import type { Client } from "langsmith";
import type { AgentContext, Entry } from "langsmith/schemas";
import { withoutRetries } from "./direct-client.js";
import { hubFailure } from "./hub-failure.js";
import { commitOfUrl, type HubTarget } from "./identifier.js";
import { withinTime } from "./within-time.js";
import { HubFile, type Changes, type Files, type Tree } from "./tree.js";

/** How often a request is tried, and how long the first pause between two tries is; each further one is twice as long. */
export interface RetryOptions {
  /** Tries in all. Default 5. */
  attempts?: number;
  /** Milliseconds, of which a random half is taken off. Default 250. */
  firstDelayMs?: number;
}

/** What one try to push came to. */
export type PushOutcome =
  | { readonly kind: "pushed"; readonly commit: string | undefined }
  | ({ readonly kind: "conflict" } & Unanswered)
  | ({ readonly kind: "failed"; readonly refused: boolean } & Unanswered);

/** A push that no try is known to have made. */
interface Unanswered {
  readonly error: VolumeError;
  /** True when one of the tries may have made it. */
  readonly doubtful: boolean;
  /** True when one of them may still be under way. */
  readonly open: boolean;
}

/** The longest pause between two tries, in milliseconds. */
const MAX_DELAY = 8000;

/** One commit of the list. */
export interface HubCommit {
  /** Names the commit for `at()`. */
  readonly hash: string;
  /** ISO 8601, where the Hub tells. */
  readonly createdAt?: string;
}

/** One repository of the Hub: whole trees in, commits out. Every request of the package is made here. */
export class HubRepository {
  readonly #source: Client;
  readonly #target: HubTarget;
  readonly #kind: "agent" | "skill";
  readonly #retry: Required<RetryOptions>;
  readonly #requestTimeoutMs: number;
  #client: Client;
  readonly #once: boolean;

  /** @param requestTimeoutMs Milliseconds that one request may take; then it is tried again. */
  constructor(
    client: Client,
    target: HubTarget,
    kind: "agent" | "skill",
    retry: RetryOptions,
    requestTimeoutMs: number,
  ) {
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#source = client;
    this.#target = target;
    this.#kind = kind;
    this.#retry = { attempts: retry.attempts ?? 5, firstDelayMs: retry.firstDelayMs ?? 250 };
    const direct = withoutRetries(client);
    this.#client = direct.client;
    this.#once = direct.once;
  }

  /**
   * The files of the latest commit, or of the fixed one. A repository that is missing or has no commit is empty; any other
   * failure throws.
   *
   * @param known The tree before: a file whose content is the same keeps its times.
   * @param version Another commit, which must be there.
   */
  async pull(known?: Tree, version = this.#target.version): Promise<Tree> {
    for (let attempt = 1; ; attempt++) {
      const asOf = performance.now();
      try {
        const context = await withinTime(this.#pullOnce(version), this.#requestTimeoutMs);
        return { asOf, commit: context.commit_hash || undefined, files: readFiles(context, known) };
      } catch (thrown) {
        const failure = hubFailure(thrown);
        this.#forgetSettings();
        if (failure.kind === "missing" && version === undefined) {
          return { asOf, commit: undefined, files: new Map() };
        }
        if (failure.kind !== "transient" || attempt >= this.#retry.attempts) throw failure.error;
        await this.pause(attempt);
      }
    }
  }

  /**
   * Commits changes on a parent. Tries again while the Hub is busy or silent; after a silence, a conflict may be with the
   * very commit whose answer was lost, which `doubtful` says.
   */
  async push(changes: Changes, parent: string | undefined): Promise<PushOutcome> {
    let doubtful = !this.#once;
    let open = false;
    for (let attempt = 1; ; attempt++) {
      try {
        const url = await withinTime(this.#pushOnce(changes, parent), this.#requestTimeoutMs);
        return { kind: "pushed", commit: commitOfUrl(url) };
      } catch (thrown) {
        const failure = hubFailure(thrown);
        this.#forgetSettings();
        if (failure.kind === "conflict")
          return { kind: "conflict", error: failure.error, doubtful, open };
        doubtful ||= failure.doubtful;
        open ||= failure.open || (failure.kind === "transient" && !this.#once);
        // Without a parent, a try that arrives late would write over what came after the one that took its place.
        const repeatable = !open || parent !== undefined || changes.size === 0;
        if (failure.kind === "transient" && repeatable && attempt < this.#retry.attempts) {
          await this.pause(attempt);
          continue;
        }
        const refused = failure.kind === "refused";
        doubtful &&= !refused;
        return { kind: "failed", error: failure.error, doubtful, open, refused };
      }
    }
  }

  /** The files of the commit that was made on a parent; `undefined` when it is not among the latest hundred. */
  async childOf(parent: string): Promise<Files | undefined> {
    const commits = await this.commits(100);
    const child = commits[commits.findIndex(({ hash }) => hash.startsWith(parent)) - 1];
    return child === undefined ? undefined : (await this.pull(undefined, child.hash)).files;
  }

  /** The latest commits, newest first. */
  async commits(limit: number): Promise<HubCommit[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await withinTime(this.#commitsOnce(limit), this.#requestTimeoutMs);
      } catch (thrown) {
        const failure = hubFailure(thrown);
        if (failure.kind === "missing") return [];
        if (failure.kind !== "transient" || attempt >= this.#retry.attempts) throw failure.error;
        await this.pause(attempt);
      }
    }
  }

  /** Waits before try number `attempt + 1`. */
  async pause(attempt: number): Promise<void> {
    const longest = Math.min(MAX_DELAY, this.#retry.firstDelayMs * 2 ** (attempt - 1));
    await delay(longest * (0.5 + Math.random() / 2));
  }

  async #pullOnce(version: string | undefined): Promise<AgentContext> {
    const { repository } = this.#target;
    const options = version === undefined ? undefined : { version };
    const pulled: unknown =
      this.#kind === "agent"
        ? await this.#client.pullAgent(repository, options)
        : await this.#client.pullSkill(repository, options);
    if (!isContext(pulled)) throw new SyntaxError("The answer is no directory of the Hub.");
    return pulled;
  }

  async #pushOnce(changes: Changes, parent: string | undefined): Promise<string> {
    const files: Record<string, Entry | null> = Object.fromEntries(
      [...changes].map(([path, content]) => [
        path.slice(1),
        content === null ? null : { type: "file", content },
      ]),
    );
    const commit = { files, ...(parent === undefined ? {} : { parentCommit: parent }) };
    const { repository } = this.#target;
    return this.#kind === "agent"
      ? this.#client.pushAgent(repository, commit)
      : this.#client.pushSkill(repository, commit);
  }

  async #commitsOnce(limit: number): Promise<HubCommit[]> {
    const commits: HubCommit[] = [];
    if (limit === 0) return commits;
    for await (const listed of this.#client.listCommits(this.#target.repository)) {
      const createdAt: unknown = Reflect.get(listed, "created_at");
      commits.push({
        hash: listed.commit_hash,
        ...(typeof createdAt === "string" ? { createdAt } : {}),
      });
      if (commits.length >= limit) break;
    }
    return commits;
  }

  /** A client that failed to fetch its settings would answer with that failure for good. */
  #forgetSettings(): void {
    this.#client = withoutRetries(this.#source).client;
  }
}

function isContext(value: unknown): value is AgentContext {
  return (
    typeof value === "object" &&
    value !== null &&
    "files" in value &&
    typeof value.files === "object" &&
    value.files !== null
  );
}

/** Names that no path can express are left alone: they are neither listed nor touched by a commit. */
function readFiles({ files }: AgentContext, known: Tree | undefined): Files {
  const now = new Date().toISOString();
  const read = new Map<string, HubFile>();
  // In path order, in which a listing wants them.
  for (const [name, entry] of Object.entries(files).toSorted(([a], [b]) => comparePaths(a, b))) {
    const path = `/${name}`;
    if (!isCanonical(path)) continue;
    const old = known?.files.get(path);
    const link = entry.type === "file" ? undefined : entry;
    const text = entry.type === "file" ? entry.content : `${JSON.stringify(entry, undefined, 2)}\n`;
    const same =
      old !== undefined && old.text === text && (old.link === undefined) === (link === undefined);
    read.set(
      path,
      same ? old : new HubFile(text, { modifiedAt: now, createdAt: old?.createdAt ?? now }, link),
    );
  }
  return read;
}

function isCanonical(path: string): boolean {
  const canonical = canonicalFilePath(path);
  return canonical.failure === undefined && canonical.path === path;
}
