import type { FileChange } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { asOneChange, changeAll, LAST } from "../../races/watched-changes.js";
import { show } from "../../report/render.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { answerOf, reportedBy, requireWatch, watch } from "./watching.js";

const encoder = new TextEncoder();

/** V1: a change that was reported can be read. */
async function isThereWhenTold(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const changes = (await watch(context, "/in"))[Symbol.asyncIterator]();
  const upload = async (text: string): Promise<{ error?: unknown }> => {
    const [stored] = await backend.uploadFiles([["/in/b.txt", encoder.encode(text)]]);
    return { error: stored?.error ?? null };
  };
  type Change = readonly [path: string, text: string, change: () => Promise<{ error?: unknown }>];
  const all: Change[] = [
    ["/in/a.txt", "one", () => backend.write("/in/a.txt", "one")],
    ["/in/a.txt", "two", () => backend.edit("/in/a.txt", "one", "two")],
  ];
  if (profile.transfer)
    all.push(["/in/b.txt", "one", () => upload("one")], ["/in/b.txt", "two", () => upload("two")]);
  if (profile.copy) all.push(["/in/c.txt", "two", () => backend.copy("/in/a.txt", "/in/c.txt")]);
  for (const [path, text, change] of all) {
    const changing = change();
    const { value } = (await changes.next()) as { value?: FileChange };
    check.equal(value?.path, path, "The path that is reported", "V1");
    const { content } = await backend.read(path);
    check.equal(content, text, `What read gives of ${path} once its change is reported`, "V1");
    check.succeeded(await changing, `the change of ${path}`);
  }
  await changes.return?.();
}

async function reportsAll(context: CaseContext, by: GuardedBackend): Promise<void> {
  const changes = await watch(context, "/in");
  const expected = await changeAll(context, by);
  const reported = asOneChange(await reportedBy(changes, "/in"));
  // In whatever order two files of one call are reported.
  const grouped: string[][] = [];
  for (const { length } of expected) grouped.push(reported.splice(0, length).toSorted());
  context.check.equal([...grouped, reported], [...expected, []], "What was reported of each call");
}

/** P1, V1: a directory is watched under every spelling that names it, and is reported under its own path. */
async function spellings(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  // A directory for each: a storage of several servers may report what was changed right before.
  const spelled = ["/in0/", "//in1", "/./in2", "/in3//"].map(
    (path, n) => [path, `/in${n}`] as const,
  );
  await context.given(Object.fromEntries(spelled.map(([, own]) => [`${own}/old.txt`, "old"])));
  for (const [path, own] of spelled) {
    const changes = await watch(context, path);
    const made = [`${own}/new.txt`, `${own}/last.txt`] as const;
    for (const file of made) check.succeeded(await backend.write(file, "x"), "write");
    const reported = await reportedBy(changes, own, made[1]);
    check.equal(
      reported.filter((change) => !change.endsWith("/old.txt")),
      made.map((file) => `created ${file}`),
      `What was reported to a watcher of ${show(path)}`,
      "V1",
    );
  }
}

/** Changes that wait for their reader: more than a buffer of 4,096 takes. */
const UNREAD = 5000;

/** What waits for its reader is reported, or one change stands for it: the second time as well as the first. */
async function reportsToLateReader(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const changes = (await watch(context, "/"))[Symbol.asyncIterator]();
  for (const round of range(2)) {
    const last = `/last-${round}.txt`;
    const paths = range(UNREAD).map((n) => `/in${round}/${n}.txt`);
    await context.given(Object.fromEntries(paths.map((path) => [path, "x"])));
    check.succeeded(await backend.write(last, "x"), "write");
    const reported = new Set<string>();
    while (!reported.has(`created ${last}`) && !reported.has("changed /")) {
      const { done, value } = await changes.next();
      if (done === true) break;
      reported.add(`${value.type} ${value.path}`);
    }
    const missing = paths.filter((path) => !reported.has(`created ${path}`));
    const what = `The files that were never reported, of batch ${round + 1}`;
    check.equal(reported.has("changed /") ? [] : missing, [], what, "V2");
  }
  await changes.return?.();
}

/** A5: what one reader makes of a change that was reported to it changes nothing for another. */
async function reportsApart(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const [first, second] = [await watch(context, "/"), await watch(context, "/")];
  check.succeeded(await backend.write("/a.txt", "x"), "write");
  check.succeeded(await backend.write(LAST, "x"), "write");
  for await (const change of first) {
    const isLast = change.path === LAST;
    Object.assign(change, { type: "deleted", path: "/other.txt" });
    if (isLast) break;
  }
  const expected = ["created /a.txt", `created ${LAST}`];
  const reported = await reportedBy(second, "/");
  check.equal(reported, expected, "What was reported to a second watcher", "A5");
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
  const waiting = reportedBy(first, "/");
  if (profile.signals) {
    abort.abort();
    check.equal(await waiting, [], "What was reported before the signal");
  }
  check.succeeded(await backend.write(LAST, "x"), "write");
  check.equal(
    await reportedBy(second, "/"),
    [`created ${LAST}`],
    "What was reported to the other watcher",
  );
  for await (const change of second) check.equal(change, undefined, "A change after a break");
}

async function claimed({ backend, check, profile, strict, warnings }: CaseContext): Promise<void> {
  const present = backend.has("watch");
  check.that(
    present || profile.watch !== true,
    "The profile claims watch, but the backend has no 'watch'.",
  );
  if (!present || profile.watch !== false) return;
  const sentence =
    "'watch' is there, but the profile has watch: false. Leave that out, so that it is tested.";
  check.that(!strict, sentence);
  warnings.push(sentence);
}

/** The extra that the protocol does not know: changes as they happen. */
export const watchCases: readonly Case[] = [
  {
    id: "watch/claimed",
    rules: ["A9"],
    level: "core",
    needs: [],
    why: "'watch' is there where the profile claims it, and not where the profile denies it.",
    run: claimed,
  },
  {
    id: "watch/every-change",
    rules: ["V1"],
    level: "core",
    needs: ["watch"],
    why: "Every kind of change below the path is reported in order, by segment, and a refused call is not.",
    hint: "Compare paths by segment: '/inside.txt' does not lie in '/in'. Begin to listen before you answer.",
    run: (context) => reportsAll(context, context.backend),
  },
  {
    id: "watch/other-client",
    rules: ["V1"],
    level: "core",
    // The peer is asked for below: without `watch` the case does not apply, whatever the harness has.
    needs: ["watch"],
    why: "What another client changes is reported just the same.",
    hint: "Listen to the storage, not to your own calls.",
    run: async (context) => {
      requireWatch(context.backend);
      await reportsAll(context, await context.peer());
    },
  },
  {
    id: "watch/there-when-reported",
    rules: ["V1"],
    level: "core",
    needs: ["watch", "consistency=strong"],
    why: "A file can be read as changed as soon as its change is reported.",
    hint: "Report a change after the storage has answered, not before it is called.",
    run: isThereWhenTold,
  },
  {
    id: "watch/spellings",
    rules: ["V1", "P1"],
    level: "core",
    needs: ["watch"],
    why: "A directory is watched under every spelling of its path, with a trailing '/' too.",
    hint: "Make the path canonical before you compare changes with it.",
    run: spellings,
  },
  {
    id: "watch/late-reader",
    rules: ["V2"],
    level: "core",
    needs: ["watch"],
    patience: 2,
    why: "Of thousands of changes that are not read yet, each is reported, or one change of the path stands for them.",
    hint: "A buffer that is full must say so; dropping the oldest, or the newest, is a change that went missing.",
    run: reportsToLateReader,
  },
  {
    id: "watch/reports-apart",
    rules: ["A5", "V1"],
    level: "core",
    needs: ["watch"],
    why: "Each watcher has reports of its own, which its reader may change.",
    hint: "Give every watcher a copy of a report.",
    run: reportsApart,
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
