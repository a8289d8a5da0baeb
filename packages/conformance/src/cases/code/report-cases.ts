import { setTimeout as delay } from "node:timers/promises";
import type { FileChange } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";
import { reportedBy, watch } from "./watching.js";

/** V1: a file that is made again is created again, for a watcher of its directory and for one of the file itself. */
async function madeAgain(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const path = "/in/again.txt";
  const last = "/in/last.txt";
  await context.given({ [path]: "first\n", "/in/beside.txt": "beside\n" });
  const abort = new AbortController();
  const of = await watch(context, path, profile.signals ? { signal: abort.signal } : {});
  const above = await watch(context, "/in");
  const expected: string[] = [];
  for (let round = 0; round < 2; round++) {
    check.succeeded(await backend.delete(path), "delete", "D1");
    check.succeeded(await backend.write(path, `again ${round}\n`), "write", "W1");
    check.succeeded(await backend.edit(path, "again", "once more"), "edit", "E1");
    expected.push(`deleted ${path}`, `created ${path}`, `changed ${path}`);
  }
  check.succeeded(await backend.write(last, "x"), "write", "W1");
  const seen = (await reportedBy(above, "/in", last)).slice(0, -1);
  check.equal(seen, expected, "What was reported to a watcher of the directory", "V1");
  const reported: string[] = [];
  const reading = (async (): Promise<void> => {
    for await (const change of of) {
      reported.push(`${change.type} ${change.path}`);
      if (reported.length === expected.length) break;
    }
  })();
  // What the other watcher has heard, this one has within a moment, or never.
  if (profile.signals) {
    await Promise.race([reading, delay(1000)]);
    abort.abort();
  }
  await reading;
  check.equal(reported, expected, "What was reported to a watcher of the file", "V1");
}

/** V1, A5: what one watcher does to a report is no other watcher's. */
async function ownReports(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const watchers = [await watch(context, "/in"), await watch(context, "/in")];
  const iterators = watchers.map((changes) => changes[Symbol.asyncIterator]());
  check.succeeded(await backend.write("/in/a.txt", "x"), "write", "W1");
  for (const iterator of iterators) {
    const { value } = (await iterator.next()) as { value: FileChange };
    check.equal({ ...value }, { type: "created", path: "/in/a.txt" }, "A report", "V1");
    // A report that cannot be changed is as well.
    Reflect.set(value, "path", "/mine");
  }
  for (const iterator of iterators) await iterator.return?.();
}

/** What watchers hear of a file that comes and goes, each by reports of its own. */
export const reportCases: readonly Case[] = [
  {
    id: "watch/made-again",
    rules: ["V1"],
    level: "core",
    needs: ["watch", "delete"],
    why: "A file that is removed and made again is reported as deleted and created, as often as that happens, to a watcher of the file too.",
    hint: "What is gone may come again: a watcher of a path stays when the file goes.",
    run: madeAgain,
  },
  {
    id: "watch/reports-of-its-own",
    rules: ["V1", "A5"],
    level: "core",
    needs: ["watch"],
    why: "Each watcher is given reports of its own: what one does to them no other sees.",
    hint: "Make a report for each watcher, or freeze it.",
    run: ownReports,
  },
];
