import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { hasFailed } from "../../engine/checker.js";
import { momentOf } from "../../races/moments.js";
import { range } from "../../races/race.js";
import { lastingOf, momentsUnderWay, progressOf } from "../../races/under-way.js";
import type { Case } from "../case.js";

type Kind = "move" | "copy";

/** Files of the directory. */
const FILES = 40;
const NAMES = range(FILES).map((n) => `${String(n).padStart(2, "0")}.txt`);
/** Copies that another client changes while the call is under way. */
const CHANGED = ["00.txt", "07.txt", "15.txt", "31.txt"];
/** Moments of a call at which its copies are changed, and it is aborted. */
const SHARES = 4;

/** M6: what was copied is taken back only as the call has stored it: an acknowledged change of a copy stays. */
async function changedCopies(context: CaseContext, kind: Kind): Promise<void> {
  const { backend, check } = context;
  const peer = await context.peer();
  const givenAt = (top: string): Promise<void> =>
    context.given(Object.fromEntries(NAMES.map((name) => [`${top}/from/${name}`, "old text\n"])));
  await givenAt("/whole");
  // With a signal, as later: some go another way with one.
  const { signal } = new AbortController();
  const first = backend[kind]("/whole/from", "/whole/to", { signal });
  const lasting = await lastingOf(first);
  check.succeeded(await first, kind, "M1");
  const early = ["5 microtasks", "20 microtasks", "60 microtasks", "1 turns", "4 turns"];
  const moments = [...momentsUnderWay(lasting, SHARES), ...early];
  for (const [n, moment] of moments.entries()) {
    if (context.signal.aborted) return;
    const top = `/r${n}`;
    await givenAt(top);
    const controller = new AbortController();
    const pending = backend[kind](`${top}/from`, `${top}/to`, { signal: controller.signal });
    await momentOf(moment);
    const edits = await Promise.all(
      CHANGED.map((name) => peer.edit(`${top}/to/${name}`, "old", "their")),
    );
    controller.abort();
    await pending;
    for (const [m, name] of CHANGED.entries()) {
      if (hasFailed(edits[m] ?? {})) continue;
      const path = `${top}/to/${name}`;
      await context.holds({ [path]: "their text\n" }, backend, "M6");
    }
  }
}

/** M6: the same where the call fails for itself, at the last of its files, whose place a directory has. */
async function changedBeforeItFails(context: CaseContext, kind: Kind): Promise<void> {
  const { backend } = context;
  const peer = await context.peer();
  let met = false;
  for (const round of range(4)) {
    const top = `/f${round}`;
    const last = NAMES.at(-1) ?? "";
    await context.given({
      ...Object.fromEntries(NAMES.map((name) => [`${top}/from/${name}`, "old text\n"])),
      [`${top}/to/${last}/inside.txt`]: "in the way\n",
    });
    const pending = backend[kind](`${top}/from`, `${top}/to`, { overwrite: true });
    const state = progressOf(pending);
    // A client that looks again and again meets the copy while it is there.
    const edits = CHANGED.map(async (name) => {
      for (let n = 1; ; n++) {
        const answer = await peer.edit(`${top}/to/${name}`, "old", "their");
        if (!hasFailed(answer)) return true;
        if (state.over || context.signal.aborted) return false;
        // Microtasks alone would never let a timer of the other fire.
        await momentOf(n % 8 === 0 ? "1 turns" : "1 microtasks");
      }
    });
    const done = await Promise.all(edits);
    context.transcript.clear();
    if (!hasFailed(await pending)) continue;
    for (const [n, name] of CHANGED.entries())
      if (done[n] === true) {
        met = true;
        await context.holds({ [`${top}/to/${name}`]: "their text\n" }, backend, "M6");
      }
  }
  if (!met) throw new NotApplicable(`no other client sees a part of a ${kind} here`);
}

const NEEDS = ["transfer", "versions", "peer", "consistency=strong", "atomicity=clients"] as const;
const HINT =
  "Take each copy back in the version that the call itself has stored, and leave it otherwise.";

/** Relocations that are aborted, or fail, while another client changes what they have copied. */
export const abortedBesideCases: readonly Case[] = (["copy", "move"] as const).flatMap(
  (kind): Case[] => [
    {
      id: `peer/${kind}-aborted-beside-edits`,
      rules: ["M6", "A7", "A8"],
      level: "safe",
      needs: ["signals", ...NEEDS, kind],
      patience: 2,
      why: `What another client has changed among the copies of a ${kind} stays there when the ${kind} is aborted.`,
      hint: HINT,
      run: (context: CaseContext) => changedCopies(context, kind),
    },
    {
      id: `peer/${kind}-failed-beside-edits`,
      rules: ["M6", "A7"],
      level: "safe",
      needs: [...NEEDS, "collisions=refused", kind],
      patience: 2,
      why: `What another client has changed among the copies of a ${kind} stays there when the ${kind} fails at a later file.`,
      hint: HINT,
      run: (context: CaseContext) => changedBeforeItFails(context, kind),
    },
  ],
);
