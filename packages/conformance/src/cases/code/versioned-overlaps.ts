import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { momentOf } from "../../races/moments.js";
import { momentsOf } from "../../races/moments-of.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";
import { versionedChanges } from "./versioned-changes.js";

const encoder = new TextEncoder();
const BEFORE = "one two three\n";
const UPLOADED = "one two, of the other\n";

/** W5: a change at a version is of that version or refused, at whatever moment another one comes. */
async function versionedBeside(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  for (const [n, [name, change]] of versionedChanges(context, "one", "1").entries())
    for (const [m, moment] of (await momentsOf(context)).entries()) {
      if (context.signal.aborted) return;
      const path = `/v${n}/${m}.txt`;
      await context.given({ [path]: BEFORE });
      const { version = "" } = await backend.read(path);
      const what = `${name} at a version, with an upload after ${moment}`;
      const changing = change(path, version);
      await momentOf(moment);
      const [uploaded] = await other.uploadFiles([[path, encoder.encode(UPLOADED)]]);
      const changed = await changing;
      check.equal(uploaded?.error, null, `The error of the upload beside ${what}`, "A7");
      if (hasFailed(changed)) check.failed(changed, "conflict", what, "W5");
      await context.holds({ [path]: UPLOADED }, backend, "W5");
      for (const isFirst of [true, false]) {
        const again = `/r${n}/${m}-${isFirst ? "first" : "second"}.txt`;
        await context.given({ [again]: BEFORE });
        // Both know the file: neither is late because it has to look first.
        const { version: next = "" } = await backend.read(again);
        await other.read(again);
        const mine = (): Promise<Answered> => change(again, next);
        const theirs = (): Promise<Answered> =>
          other.edit(again, "two", "2", false, { ifVersion: next });
        const [first, second] = isFirst ? [mine, theirs] : [theirs, mine];
        const one = first();
        await momentOf(moment);
        const answers = await Promise.all([one, second()]);
        const won = answers.filter((answer) => !hasFailed(answer));
        const both = `The changes at one version that succeed, ${name} ${isFirst ? "before" : "after"} edit by ${moment},`;
        check.equal(won.length, 1, both, "W5");
      }
    }
}

/** Changes at a version that meet another change at each of their moments. */
export const versionedOverlaps: readonly Case[] = overlapCases([
  {
    name: "versioned-beside-changes",
    rules: ["W5", "E7", "A7"],
    needs: ["versions", "transfer"],
    why: "A change at a version is made of that version alone, or is a conflict, at whatever moment another change comes.",
    hint: "A change that lost a race and is tried again compares the caller's version again.",
    run: versionedBeside,
  },
]);
