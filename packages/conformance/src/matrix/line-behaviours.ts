import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../engine/case-context.js";
import { hasFailed } from "../engine/checker.js";
import type { GuardedBackend } from "../engine/guard.js";
import { sortedPaths } from "../model/text-rules.js";
import { momentOf } from "../races/moments.js";
import type { Behaviour } from "./behaviour.js";
import { resultOf } from "./check-answer.js";
import type { Row } from "./row.js";
import { saysUnsettled } from "./settling.js";
import { placeOf, SUBJECT_TEXT } from "./stage.js";

/** When the signal fires after the beginning of the call; the first is within the same turn of the program. */
const MOMENTS = ["0 microtasks", "1 microtasks", "1 turns"];

/** Refusals of an aborted call, also where the one before it has made its file. */
const CODES = ["aborted", "unavailable", "already_exists", "conflict"];

/** Milliseconds in which a change that was left in its line would have had its turn. */
const LATE_MS = 8;

/** Changes that the call is in line behind: after each the file holds the text of the subject. */
const BEFORE: ReadonlyArray<(backend: GuardedBackend, path: string) => Promise<unknown>> = [
  (backend, path) => backend.uploadFiles([[path, new TextEncoder().encode(SUBJECT_TEXT)]]),
  (backend, path) => backend.edit(path, "one", "one"),
  (backend, path) => backend.write(path, SUBJECT_TEXT),
];

async function abortedInLine(context: CaseContext, row: Row): Promise<void> {
  const { backend, check, profile } = context;
  let round = 0;
  for (const [index, moment] of MOMENTS.entries())
    // One that has begun long enough is in line whatever is before it.
    for (const before of index === 0 ? BEFORE : BEFORE.slice(index, index + 1)) {
      if (context.signal.aborted) return;
      const { path, model } = await placeOf(context, row, `/d${round++}`);
      const controller = new AbortController();
      const first = before(backend, path);
      const args = row.args(path, SUBJECT_TEXT, { signal: controller.signal });
      const pending = backend.call(row.method, args);
      if (index > 0) await momentOf(moment);
      controller.abort();
      const [, answer] = await Promise.all([first, pending]);
      const result = resultOf(row, answer);
      const { error, code } = result;
      check.that(
        !hasFailed(result) || !profile.codes || CODES.includes(String(code)),
        `${row.method}, aborted after ${moment}, is refused with ${String(code)}.`,
        "A8",
      );
      if (hasFailed(result) && !saysUnsettled(error)) {
        // The one before may have made the file, which it leaves with this text whether it was there or not.
        if (!model.isFile(path) && (await context.contents([path])).has(path))
          model.put(path, new TextEncoder().encode(SUBJECT_TEXT));
        await delay(LATE_MS);
        await context.holds(Object.fromEntries(model.files), backend, "A8");
        const found = (await backend.glob("**")).files?.map((file) => file.path);
        const what = `The files after ${row.method}, in line behind another change and aborted after ${moment}, has answered ${String(error)}`;
        check.equal(found, sortedPaths(model.files.keys()), what, "A8");
      }
      // What is left of this round is not part of the next.
      if (!profile.delete) return;
      for (const top of ["/source", "/target", `/d${round - 1}`]) await backend.delete(top);
    }
}

/** A8: a change that was aborted before its turn has come. */
export const LINE_BEHAVIOURS: readonly Behaviour[] = [
  {
    id: "aborted-in-line",
    rules: ["A8", "A7"],
    needs: ["signals", "transfer", "consistency=strong"],
    why: "A change that waits behind another of its path when its signal fires, and says only that it was aborted, never happens.",
    hint: "Take it out of the line, or look at the signal once more when its turn comes.",
    without: (row) => {
      if (row.kind === "read") return "it changes nothing";
      return row.batch ? "its errors have no sentence that says what is not known" : undefined;
    },
    run: abortedInLine,
  },
];
