import { createHash } from "node:crypto";
import type { CallOptions } from "@fs/protocol";
import type { ChangeSet, StagingBackend } from "@fs/staging";
import { interrupt, isGraphInterrupt } from "@langchain/langgraph";
import { decisionsOf, type StagingDecision } from "./decision.js";
import type { StagingInterrupt } from "./interrupt.js";
import type { StagingSettings } from "./options.js";
import { importStaging } from "./staged-backends.js";

/**
 * Pauses the run with what is staged, and does what a person decides. Returns what the agent is to know, if anything. An
 * answer that cannot be understood changes nothing and is asked for again.
 */
export async function askForApproval(
  staged: StagingBackend,
  { strategy }: StagingSettings,
  options: CallOptions = {},
): Promise<string | undefined> {
  let problem: string | undefined;
  for (;;) {
    const shown = await present(staged);
    if (shown === undefined) return withNothingStaged();
    if (typeof shown === "string") return shown;
    const { digest } = shown;
    const answer = interrupt<StagingInterrupt, unknown>(
      problem === undefined ? shown : { ...shown, problem },
    );
    const { about, rest } = parted(answer);
    const decisions = decisionsOf(rest);
    problem =
      about !== undefined && about !== digest
        ? "The staged changes are others than those of the answer. Here they are as they are now."
        : typeof decisions === "string"
          ? decisions
          : await problemOfGlobs(staged, decisions);
    if (problem === undefined && typeof decisions !== "string")
      return carryOut(staged, decisions, { strategy, ...options });
  }
}

/**
 * What the agent is to know where nothing is staged: an answer that was given all the same is about changes that are gone, with
 * the process that held them in memory, or because something else committed or dropped them.
 */
function withNothingStaged(): string | undefined {
  const decisions = decisionsOf(parted(answerWithoutPause()).rest);
  if (typeof decisions === "string") return undefined;
  const comments = decisions.flatMap(({ comment }) => comment ?? []);
  if (comments.length === 0 && decisions.every(({ type }) => type === "reject")) return undefined;
  return [GONE, ...comments.map((comment) => `The comment: ${comment}`)].join("\n");
}

const GONE =
  "The file changes that were shown for approval are no longer staged, and the answer committed nothing. Look at the files: what is not in them has to be changed again.";

/** The last answer that the run was resumed with, if any; without one, the question is not asked. */
function answerWithoutPause(): unknown {
  let answer: unknown;
  try {
    for (;;) answer = interrupt<undefined, unknown>(undefined);
  } catch (error) {
    if (!isGraphInterrupt(error) && Reflect.get(Object(error), "lc_error_code") !== NO_CHECKPOINTER)
      throw error;
  }
  return answer;
}

const NO_CHECKPOINTER = "MISSING_CHECKPOINTER";

/** The question, `undefined` where nothing is staged, or why it cannot be asked. */
async function present(staged: StagingBackend): Promise<StagingInterrupt | string | undefined> {
  const changes = await staged.changes();
  if (changes.error) return `The staged changes could not be shown for approval: ${changes.error}`;
  if (changes.changes.length === 0) return undefined;
  const diff = await staged.diff();
  if (diff.error) return `The staged changes could not be shown for approval: ${diff.error}`;
  const { summaryOf } = await importStaging();
  return {
    type: "filesystem_staging",
    patch: diff.patch,
    changes: summaryOf(changes),
    digest: digestOf(changes),
  };
}

function digestOf({ changes }: ChangeSet): string {
  const named = changes.map(({ path, before, after }) => [
    path,
    before?.hash ?? before?.version ?? null,
    after?.hash ?? null,
  ]);
  return createHash("sha256").update(JSON.stringify(named)).digest("hex");
}

function parted(answer: unknown): { about: unknown; rest: unknown } {
  if (typeof answer !== "object" || answer === null || !("digest" in answer))
    return { about: undefined, rest: answer };
  const { digest: about, ...rest } = answer;
  return { about, rest };
}

/** All globs are tried before the first decision is carried out, so that an answer counts whole or not at all. */
async function problemOfGlobs(
  staged: StagingBackend,
  decisions: readonly StagingDecision[],
): Promise<string | undefined> {
  for (const { only } of decisions) {
    const tried = await staged.changes(only);
    if (tried.error && tried.code === "invalid_argument") return tried.error;
  }
  return undefined;
}

/** How decisions are carried out. */
interface Means extends CallOptions {
  readonly strategy: StagingSettings["strategy"] | undefined;
}

async function carryOut(
  staged: StagingBackend,
  decisions: readonly StagingDecision[],
  { strategy, ...options }: Means,
): Promise<string | undefined> {
  const notes: string[] = [];
  // What was approved stays staged where it could not be committed, also where a later decision rejects the rest.
  const approved = new Set<string>();
  for (const { type, only, comment } of decisions) {
    if (type === "approve") {
      const committed = await commit(staged, only, { strategy, ...options });
      notes.push(...committed.notes);
      // Where it is unknown which these are, nothing more is done.
      if (committed.left === undefined) break;
      for (const path of committed.left) approved.add(path);
    } else if (comment === undefined) {
      const discarded = await discardExcept(staged, only, approved, options);
      if (discarded.error) notes.push(`The rejected changes are still staged: ${discarded.error}`);
    }
    if (comment !== undefined) notes.push(wordsOf(type, comment));
  }
  return notes.length === 0 ? undefined : notes.join("\n");
}

function wordsOf(type: StagingDecision["type"], comment: string): string {
  return type === "approve"
    ? `Your file changes were approved with this comment: ${comment}`
    : `Your file changes were not approved and are still staged. The comment: ${comment}`;
}

interface Committed {
  readonly notes: readonly string[];
  /** The paths that are still staged though they were approved; `undefined` where they are not known. */
  readonly left: readonly string[] | undefined;
}

async function commit(
  staged: StagingBackend,
  only: StagingDecision["only"],
  { strategy, ...options }: Means,
): Promise<Committed> {
  const meant = await staged.changes(only, options);
  const still = "The approved changes are still staged:";
  if (meant.error) return { notes: [`${still} ${meant.error}`], left: undefined };
  const report = await staged.commit({
    ...options,
    ...(only === undefined ? {} : { only }),
    ...(strategy === undefined ? {} : { strategy }),
  });
  if (report.error)
    return { notes: [`${still} ${report.error}`], left: meant.changes.map(({ path }) => path) };
  const left = report.paths.filter(({ status }) => status !== "applied" && status !== "already");
  if (left.length === 0) return { notes: [], left: [] };
  const lines = left.map(({ path, status, detail }) => `- ${path}: ${detail ?? status}`);
  return {
    notes: ["These approved changes were not committed and are still staged:", ...lines],
    left: left.map(({ path }) => path),
  };
}

/** Takes back what is meant but for the given paths. */
async function discardExcept(
  staged: StagingBackend,
  only: StagingDecision["only"],
  kept: ReadonlySet<string>,
  options: CallOptions,
): Promise<{ readonly error?: string | undefined }> {
  if (kept.size === 0) return staged.discard(only, options);
  const meant = await staged.changes(only, options);
  if (meant.error) return meant;
  const paths = meant.changes.map(({ path }) => path).filter((path) => !kept.has(path));
  return paths.length === 0 ? {} : staged.discard(paths.map(asGlob), options);
}

/** The glob that only this path matches. */
function asGlob(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}
