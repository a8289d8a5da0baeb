import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import { momentOf } from "../../races/moments.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

type Kind = "move" | "copy";

/** Files of the directory. */
const FILES = 40;
const NAMES = range(FILES).map((n) => `${String(n).padStart(2, "0")}.txt`);
/** Copies that another client changes while the call is under way. */
const CHANGED = ["00.txt", "07.txt", "15.txt", "31.txt"];
const SHARES = [0.2, 0.4, 0.6, 0.8];

/** M6: what was copied is taken back only as the call has stored it: an acknowledged change of a copy stays. */
async function changedCopies(context: CaseContext, kind: Kind): Promise<void> {
  const { backend, check } = context;
  const peer = await context.peer();
  const givenAt = (top: string): Promise<void> =>
    context.given(Object.fromEntries(NAMES.map((name) => [`${top}/from/${name}`, "old text\n"])));
  await givenAt("/whole");
  const begun = performance.now();
  check.succeeded(await backend[kind]("/whole/from", "/whole/to"), kind, "M1");
  const whole = performance.now() - begun;
  const moments = [
    ...SHARES.map((share) => () => delay(whole * share)),
    ...["5 microtasks", "20 microtasks", "60 microtasks", "1 turns", "4 turns"].map(
      (moment) => () => momentOf(moment),
    ),
  ];
  for (const [n, moment] of moments.entries()) {
    if (context.signal.aborted) return;
    const top = `/r${n}`;
    await givenAt(top);
    const controller = new AbortController();
    const pending = backend[kind](`${top}/from`, `${top}/to`, { signal: controller.signal });
    await moment();
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

/** Relocations that are aborted while another client changes what they have copied. */
export const abortedBesideCases: readonly Case[] = (["copy", "move"] as const).map((kind) => ({
  id: `peer/${kind}-aborted-beside-edits`,
  rules: ["M6", "A7", "A8"],
  level: "safe",
  needs: [
    "signals",
    "transfer",
    "versions",
    "peer",
    "consistency=strong",
    "atomicity=clients",
    kind,
  ],
  patience: 2,
  why: `What another client has changed among the copies of a ${kind} stays there when the ${kind} is aborted.`,
  hint: "Take each copy back in the version that the call itself has stored, and leave it otherwise.",
  run: (context: CaseContext) => changedCopies(context, kind),
}));
