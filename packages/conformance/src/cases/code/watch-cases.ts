import type { CallOptions, FileChange, WatchableBackend, WatchResult } from "@fs/protocol";
import { CheckFailure } from "../../engine/check-failure.js";
import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

/** Written at the end, so that a reader knows when to stop, whatever was lost before. */
const LAST = "/in/last.txt";

/** A call past the guard, which would copy the iterable to death. */
async function answerOf(
  { backend, transcript }: CaseContext,
  path: string,
  options: CallOptions,
): Promise<WatchResult> {
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

async function watch(
  context: CaseContext,
  path: string,
  options: CallOptions = {},
): Promise<AsyncIterable<FileChange>> {
  const { changes, error } = await answerOf(context, path, options);
  if (changes === undefined) throw new CheckFailure(`watch should have begun, but: ${show(error)}`);
  return changes;
}

/** All that is told until the last file, or until the one change that stands for all. */
async function toldOf(changes: AsyncIterable<FileChange>, root: string): Promise<string[]> {
  const told: string[] = [];
  for await (const { type, path } of changes) {
    told.push(`${type} ${path}`);
    if (path === LAST || path === root) break;
  }
  return told;
}

/** Changes of every kind that the backend has, and what is to be told of each. */
async function changeAll({ profile, check }: CaseContext, by: GuardedBackend): Promise<string[][]> {
  const expected: string[][] = [];
  const told = (result: { error?: string | null }, what: string, ...changes: string[]): void => {
    check.that(result.error == null, `${what} should have succeeded: ${show(result.error)}`);
    expected.push(changes.toSorted());
  };
  told(await by.write("/inside.txt", "x"), "write beside the watched path");
  told(await by.write("/in/a.txt", "1"), "write", "created /in/a.txt");
  told(await by.edit("/in/a.txt", "1", "2"), "edit", "changed /in/a.txt");
  check.failed(await by.edit("/in/a.txt", "none", "2"), "no_match", "edit");
  if (profile.writeMode === "create")
    check.failed(await by.write("/in/a.txt", "3"), "already_exists", "write");
  if (profile.transfer) {
    const [stored] = await by.uploadFiles([["/in/a.txt", encoder.encode("3")]]);
    told({ error: stored?.error ?? null }, "upload", "changed /in/a.txt");
  }
  if (profile.copy) told(await by.copy("/in/a.txt", "/in/d/c.txt"), "copy", "created /in/d/c.txt");
  if (profile.move) {
    const both = ["deleted /in/a.txt", "created /in/b.txt"];
    told(await by.move("/in/a.txt", "/in/b.txt"), "move", ...both);
    told(await by.move("/in/b.txt", "/out.txt"), "move out of it", "deleted /in/b.txt");
    told(await by.move("/out.txt", "/in/a.txt"), "move into it", "created /in/a.txt");
  }
  if (profile.delete) told(await by.delete("/in/a.txt"), "delete", "deleted /in/a.txt");
  told(await by.write(LAST, "x"), "write", `created ${LAST}`);
  return expected;
}

async function tellsAll(context: CaseContext, by: GuardedBackend): Promise<void> {
  const changes = await watch(context, "/in");
  const expected = await changeAll(context, by);
  const told = await toldOf(changes, "/in");
  // In whatever order one call tells of two files.
  const grouped: string[][] = [];
  for (const { length } of expected) grouped.push(told.splice(0, length).toSorted());
  context.check.equal([...grouped, told], [...expected, []], "What was told of each call");
}

async function tellsLateReader(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const changes = await watch(context, "/");
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`/in/${n}.txt`, "x"]));
  await context.given(files);
  check.succeeded(await backend.write(LAST, "x"), "write");
  const told = new Set(await toldOf(changes, "/"));
  const missing = Object.keys(files).filter((path) => !told.has(`created ${path}`));
  check.equal(told.has("changed /") ? [] : missing, [], "The files that were never told");
}

async function refuses(context: CaseContext): Promise<void> {
  const { check, profile } = context;
  for (const path of ["../x", "in", "", "/\0"])
    check.failed(await answerOf(context, path, {}), "invalid_path", `watch of ${show(path)}`);
  if (!profile.signals) return;
  const aborted = await answerOf(context, "/", { signal: AbortSignal.abort() });
  check.failed(aborted, "aborted", "watch with a signal that has fired");
}

async function ends(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const abort = new AbortController();
  const first = await watch(context, "/", { signal: abort.signal });
  const second = await watch(context, "/");
  const waiting = toldOf(first, "/");
  if (profile.signals) {
    abort.abort();
    check.equal(await waiting, [], "What was told before the signal");
  }
  check.succeeded(await backend.write(LAST, "x"), "write");
  check.equal(await toldOf(second, "/"), [`created ${LAST}`], "What the other watcher was told");
  for await (const change of second) check.equal(change, undefined, "A change after a break");
}

async function claimed({ backend, check, profile, strict, warnings }: CaseContext): Promise<void> {
  if (profile.watch) {
    check.that(backend.has("watch"), "The profile claims watch, but the backend has no 'watch'.");
    return;
  }
  const sentence =
    "'watch' is there, but the profile has watch: false. Claim it, so that it is tested.";
  check.that(!(strict && backend.has("watch")), sentence);
  if (backend.has("watch")) warnings.push(sentence);
}

/** The extra that the protocol does not know: changes as they happen. */
export const watchCases: readonly Case[] = [
  {
    id: "watch/claimed",
    rules: ["A9"],
    level: "core",
    needs: [],
    why: "'watch' is there exactly when the profile claims it.",
    run: claimed,
  },
  {
    id: "watch/every-change",
    rules: ["V1"],
    level: "core",
    needs: ["watch"],
    why: "Every kind of change below the path is told in order, by segment, and a refused call is not.",
    hint: "Compare paths by segment: '/inside.txt' does not lie in '/in'. Begin to listen before you answer.",
    run: (context) => tellsAll(context, context.backend),
  },
  {
    id: "watch/other-client",
    rules: ["V1"],
    level: "core",
    needs: ["watch", "peer"],
    why: "What another client changes is told just the same.",
    hint: "Listen to the storage, not to your own calls.",
    run: async (context) => tellsAll(context, await context.peer()),
  },
  {
    id: "watch/late-reader",
    rules: ["V2"],
    level: "core",
    needs: ["watch"],
    why: "Of 300 changes that nobody reads yet, each is told, or one change of the path stands for them.",
    hint: "A buffer that is full must say so; dropping the oldest, or the newest, is a change that went missing.",
    run: tellsLateReader,
  },
  {
    id: "watch/refusals",
    rules: ["V3"],
    level: "core",
    needs: ["watch"],
    why: "What cannot be watched is an answer with a code, not an error that is thrown.",
    run: refuses,
  },
  {
    id: "watch/end",
    rules: ["V3"],
    level: "core",
    needs: ["watch"],
    why: "A signal ends one watcher and no other, while it waits; after a break nothing comes.",
    hint: "Wake the reader that waits for the next change when the signal fires.",
    run: ends,
  },
];
