import fc from "fast-check";
import type { Case, Tier } from "../cases/case.js";
import type { CaseContext } from "../engine/case-context.js";
import type { GuardedBackend } from "../engine/guard.js";
import { race } from "../races/race.js";
import { requireVisibleEditLoss } from "../races/racy-client.js";
import { show } from "../report/render.js";
import { linearize, type Call } from "./linearizability.js";
import { stepFile, type FileAnswer, type FileOperation, type FileState } from "./register.js";

const HISTORIES: Readonly<Record<Tier, number>> = { quick: 15, full: 150, soak: 2000 };
const CLIENTS = 3;
const PATHS = ["one", "two"] as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A call of a script: which of the two files, and what. `n` makes every text unique, so that no lost one hides. */
interface Scripted {
  readonly path: number;
  readonly kind: FileOperation["kind"];
  readonly all: boolean;
  readonly token: number;
}

const scripted: fc.Arbitrary<Scripted> = fc.record({
  path: fc.nat(PATHS.length - 1),
  kind: fc.constantFrom(
    "edit" as const,
    "edit" as const,
    "edit" as const,
    "read" as const,
    "read" as const,
    "write" as const,
    "upload" as const,
    "delete" as const,
  ),
  all: fc.boolean(),
  token: fc.nat(2),
});

const scripts = fc.array(fc.array(scripted, { minLength: 1, maxLength: 4, size: "max" }), {
  minLength: 2,
  maxLength: CLIENTS,
  size: "max",
});

type History = Array<Call<FileOperation, FileAnswer>>;

async function histories(context: CaseContext, clients: readonly GuardedBackend[]): Promise<void> {
  await requireVisibleEditLoss(context);
  const plans = fc.sample(scripts, { seed: context.seed, numRuns: HISTORIES[context.tier] });
  for (const [round, plan] of plans.entries()) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    await oneHistory(context, clients, plan, `/h${round}`);
  }
}

async function oneHistory(
  context: CaseContext,
  clients: readonly GuardedBackend[],
  plan: ReadonlyArray<readonly Scripted[]>,
  base: string,
): Promise<void> {
  const recorded = new Map<string, History>(PATHS.map((name) => [name, []]));
  const initial = "t0 t1 t2 t0";
  await context.given(Object.fromEntries(PATHS.map((name) => [`${base}/${name}`, initial])));
  let clock = 0;
  await race(
    plan.map((script, client) => async () => {
      const backend = clients[client % clients.length] ?? context.backend;
      for (const [index, planned] of script.entries()) {
        const name = PATHS[planned.path] ?? "one";
        const operation = operationOf(context, planned, `${client}${index}`);
        const calledAt = clock++;
        const answer = await perform(context, backend, `${base}/${name}`, operation);
        recorded.get(name)?.push({ client, operation, answer, calledAt, answeredAt: clock++ });
      }
    }),
  );
  for (const [name, history] of recorded) {
    const answer = await perform(context, context.backend, `${base}/${name}`, { kind: "read" });
    const last = {
      client: plan.length,
      operation: { kind: "read" as const },
      answer,
      calledAt: clock++,
      answeredAt: clock++,
    };
    checkHistory(context, name, [...history, last], initial);
  }
}

function checkHistory(context: CaseContext, name: string, history: History, initial: string): void {
  refuseLoneConflicts(context, name, history);
  const step = stepFile(context.profile.writeMode === "overwrite");
  const order = linearize<FileState, FileOperation, FileAnswer>(
    history,
    initial,
    step,
    (state) => state ?? "\0",
  );
  const lines = history
    .toSorted((a, b) => a.calledAt - b.calledAt)
    .map(
      ({ client, operation, answer, calledAt, answeredAt }) =>
        `[${calledAt}–${answeredAt}] client ${client}: ${show(operation)} → ${show(answer)}`,
    );
  context.check.that(
    order !== undefined,
    `No order of these calls on '${name}' (at first ${show(initial)}) explains all answers:\n${lines.join("\n")}`,
    "A7",
  );
}

/** Refusals that only a race, or an outage, explains. */
const OF_A_RACE: ReadonlySet<string> = new Set(["conflict", "unavailable", "timeout"]);

/** E7: where no other change was under way, a change is not refused for a race. */
function refuseLoneConflicts(context: CaseContext, name: string, history: History): void {
  for (const call of history) {
    const { failed } = call.answer;
    if (failed === undefined || !OF_A_RACE.has(failed)) continue;
    const overlapped = history.some(
      (other) =>
        other !== call &&
        other.operation.kind !== "read" &&
        other.calledAt < call.answeredAt &&
        other.answeredAt > call.calledAt,
    );
    context.check.that(
      overlapped,
      `${show(call.operation)} on '${name}' was refused with ${failed}, though no other change was under way.`,
      "E7",
    );
  }
}

function operationOf(
  context: CaseContext,
  { kind, all, token }: Scripted,
  id: string,
): FileOperation {
  const { profile } = context;
  const text = `w${id} t0 t1 t2`;
  if (kind === "write") return { kind, text };
  if (kind === "upload" && profile.transfer) return { kind, text };
  if (kind === "delete" && profile.delete) return { kind };
  if (kind === "edit") return { kind, old: `t${token}`, to: `t${token}e${id}`, all };
  return { kind: "read" };
}

async function perform(
  context: CaseContext,
  backend: GuardedBackend,
  path: string,
  operation: FileOperation,
): Promise<FileAnswer> {
  switch (operation.kind) {
    case "write":
      return answerOf(await backend.write(path, operation.text));
    case "edit":
      return answerOf(await backend.edit(path, operation.old, operation.to, operation.all));
    case "delete":
      return answerOf(await backend.delete(path));
    case "upload": {
      const [item] = await backend.uploadFiles([[path, encoder.encode(operation.text)]]);
      return item?.error == null ? {} : { failed: item.code ?? "failed" };
    }
    case "read": {
      const { error, code, data } = await backend.readRaw(path);
      if (error !== undefined)
        return { failed: context.profile.codes ? (code ?? "failed") : "failed" };
      const content = data?.content;
      if (content instanceof Uint8Array) return { content: decoder.decode(content) };
      return { content: Array.isArray(content) ? content.join("\n") : content };
    }
  }
}

function answerOf({ error, code }: { error?: string; code?: string }): FileAnswer {
  return error === undefined ? {} : { failed: code ?? "failed" };
}

/** Model-based testing of several clients at once. */
export const concurrentModels: readonly Case[] = [
  {
    id: "model/concurrent",
    rules: ["A7"],
    level: "safe",
    needs: ["consistency=strong"],
    patience: 4,
    why: "Random parallel calls answer as some order of them, one after another, would (linearizability per file).",
    hint: "The numbers in brackets are the moments of call and answer. Look for an edit that succeeded and left no trace.",
    run: (context) => histories(context, [context.backend]),
  },
  {
    id: "model/concurrent-peers",
    rules: ["A7"],
    level: "safe",
    needs: ["peer", "consistency=strong", "atomicity=clients"],
    patience: 4,
    why: "The same across two clients of one storage.",
    hint: "A lock or a cache in one client does not hold for another.",
    run: async (context) => histories(context, [context.backend, await context.peer()]),
  },
];
