import type { CallOptions, FileChange, WatchableBackend, WatchResult } from "@fs/protocol";
import { CheckFailure, NotApplicable } from "../../engine/check-failure.js";
import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { LAST } from "../../races/watched-changes.js";
import { show } from "../../report/render.js";

export function requireWatch(backend: GuardedBackend): void {
  if (!backend.has("watch")) throw new NotApplicable("the backend has no 'watch'");
}

/** A call past the guard, which would copy the iterable to death. */
export async function answerOf(
  { backend, transcript }: CaseContext,
  path: string,
  options: CallOptions,
): Promise<WatchResult> {
  requireWatch(backend);
  const record = transcript.begin("", "watch", [path]);
  try {
    const answer = await (backend.unguarded as unknown as WatchableBackend).watch(path, options);
    const { error, code } = answer;
    transcript.end(record, { result: error === undefined ? { changes: "…" } : { error, code } });
    return answer;
  } catch (thrown) {
    transcript.end(record, { thrown });
    throw new CheckFailure(`watch threw instead of answering with an error: ${show(thrown)}`, {
      rule: "V3",
    });
  }
}

export async function watch(
  context: CaseContext,
  path: string,
  options: CallOptions = {},
): Promise<AsyncIterable<FileChange>> {
  const { changes, error, code } = await answerOf(context, path, options);
  // The method may be there for other set-ups of the same backend.
  if (code === "unsupported" && context.profile.watch === "offered")
    throw new NotApplicable("'watch' answers 'unsupported', and the profile does not claim it");
  if (changes === undefined) throw new CheckFailure(`watch should have begun, but: ${show(error)}`);
  return changes;
}

/** All that is reported until the last file, or until the one change that stands for all. */
export async function reportedBy(
  changes: AsyncIterable<FileChange>,
  root: string,
  last = LAST,
): Promise<string[]> {
  const reported: string[] = [];
  for await (const { type, path } of changes) {
    reported.push(`${type} ${path}`);
    if (path === last || path === root) break;
  }
  return reported;
}
