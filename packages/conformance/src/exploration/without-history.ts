import type { Tier } from "../cases/case.js";
import type { CaseContext, Content } from "../engine/case-context.js";
import type { GuardedBackend } from "../engine/guard.js";
import { withoutPlace } from "../eyes/without-place.js";
import { FileModel } from "../model/file-model.js";
import { askAll } from "./ask-all.js";
import { Dice } from "./dice.js";
import { Exploration } from "./exploration.js";
import { looksAbout, type Look } from "./looks-about.js";
import { CHANGES, PLANS, type Kind } from "./plans.js";
import { sentenceOf, type PlannedCall } from "./planned-call.js";

/** Walks through changes, and how many changes each has. */
const SIZE: Readonly<Record<Tier, { walks: number; steps: number }>> = {
  quick: { walks: 8, steps: 15 },
  full: { walks: 25, steps: 30 },
  soak: { walks: 400, steps: 40 },
};

/** Milliseconds after which no further step begins: a slow storage is walked less. */
const BUDGET_MS: Readonly<Record<Tier, number>> = {
  quick: 2500,
  full: 20_000,
  soak: 1_800_000,
};

/** Files that a walk begins with, at most. */
const FIRST_FILES = 10;

/**
 * A7: what is said of files does not depend on what became of them, on what was asked before, or on what is asked at the same
 * time. Looks are made before a change and again after it, and then at equal files that were stored a moment before: the answers
 * are the same.
 */
export async function answerWithoutHistory(
  context: CaseContext,
  clientsOf: () => Promise<readonly GuardedBackend[]>,
): Promise<void> {
  const { walks, steps } = SIZE[context.tier];
  const clients = await clientsOf();
  const dice = new Dice(context.seed);
  const until = performance.now() + BUDGET_MS[context.tier];
  for (let n = 0; n < walks; n++) {
    const parts = { model: FileModel.of(context.profile), base: placeOf("walk", n, 0), clients };
    const exploration = new Exploration(context, parts, new Dice(dice.seed()));
    for (const kind of firstKinds(dice)) await make(exploration, kind, dice);
    for (let step = 0; step < steps; step++) {
      const isFirst = n === 0 && step === 0;
      if (context.signal.aborted || (!isFirst && performance.now() > until)) return;
      const call = PLANS[dice.pick(CHANGES)](exploration, new Dice(dice.seed()));
      if (call === undefined) continue;
      context.transcript.clear();
      await lookAround(exploration, call, { dice, twin: placeOf("twin", n, step) });
    }
  }
}

/** Directories whose paths are equally long: sentences cut long ones. */
function placeOf(kind: "walk" | "twin", n: number, step: number): string {
  return `/${kind}-${String(n).padStart(3, "0")}-${String(step).padStart(3, "0")}`;
}

/** What the files that a walk begins with are made by. */
function firstKinds(dice: Dice): Kind[] {
  const kinds = Array.from({ length: 1 + dice.below(FIRST_FILES) }, () =>
    dice.pick(["write", "upload"] as const),
  );
  return dice.once(2) ? [...kinds, "fill"] : kinds;
}

async function make(exploration: Exploration, kind: Kind, dice: Dice): Promise<void> {
  const call = PLANS[kind](exploration, new Dice(dice.seed()));
  call?.settle(await dice.pick(exploration.clients).call(call.method, call.args));
}

/** Makes a change between equal looks, and compares the later ones with those at equal files elsewhere. */
async function lookAround(
  exploration: Exploration,
  call: PlannedCall,
  { dice, twin }: { dice: Dice; twin: string },
): Promise<void> {
  const { context, base, clients } = exploration;
  const [reader, writer] = [dice.pick(clients), dice.pick(clients)];
  const planned = looksAbout(exploration, dice, call);
  await askAll(reader, planned, { base, atOnce: dice.once(2) });
  // Looks that begin before the change and end after it may answer either: what they leave behind must be true.
  const beside = dice.once(2) ? askAll(reader, planned, { base, atOnce: true }) : undefined;
  const answer = writer.call(call.method, call.args);
  await beside;
  call.settle(await answer);
  const ghosts = ghostsOf(exploration);
  const looks = planned.filter((look) => isDefinite(look, base, ghosts));
  const seen = await askAll(reader, looks, { base, atOnce: dice.once(2) });
  await storeAnew(exploration, writer, twin);
  const wanted = await askAll(reader, looks, { base: twin, atOnce: false });
  for (const [n, { method, args }] of looks.entries()) {
    const actual = withoutPlace(withoutGhosts(seen[n], ghosts), base);
    const expected = withoutPlace(wanted[n], twin);
    context.check.equal(
      actual === expected || JSON.parse(actual),
      actual === expected || JSON.parse(expected),
      `What ${sentenceOf({ method, args: args(base) })} answers before and after ${sentenceOf(call)}, compared with what it answers of equal files that were stored anew,`,
      "A7",
    );
  }
}

/** Stores what an exploration holds once more, at a place where nothing has ever been. */
async function storeAnew(
  { context, model, base }: Exploration,
  client: GuardedBackend,
  twin: string,
): Promise<void> {
  const { transfer } = context.profile;
  const files = model.below(base).map((path): [string, Content] => {
    const bytes = model.files.get(path) ?? new Uint8Array();
    return [twin + path.slice(base.length), transfer ? bytes : Buffer.from(bytes).toString()];
  });
  await context.given(Object.fromEntries(files), client);
}

/** Directories that have become empty, where such ones stay. */
function ghostsOf({ context, model, base }: Exploration): ReadonlySet<string> {
  if (context.profile.directories !== "real") return new Set();
  const ever = [...model.everDirectories].filter((path) => path.startsWith(base));
  return new Set(ever.filter((path) => !model.isDirectory(path)));
}

/** Whether directories that have become empty do not matter to a look: they have no twin. */
function isDefinite({ method, args }: Look, base: string, ghosts: ReadonlySet<string>): boolean {
  if (ghosts.size === 0) return true;
  const values = args(base).flat();
  const isPaged = method !== "grep" && values.some((value) => typeof value === "object");
  const paths = values.filter((value) => typeof value === "string");
  return !isPaged && !paths.some((path) => ghosts.has(path.replace(/\/+$/, "")));
}

/** A listing without directories that have become empty. */
function withoutGhosts(answer: unknown, ghosts: ReadonlySet<string>): unknown {
  const files: unknown = Reflect.get(Object(answer), "files");
  if (ghosts.size === 0 || !Array.isArray(files)) return answer;
  const entries = files as ReadonlyArray<{ path: string }>;
  const shown = entries.filter(({ path }) => !path.endsWith("/") || !ghosts.has(path.slice(0, -1)));
  return { ...(answer as object), files: shown };
}
