import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { requireOffered } from "../../matrix/row.js";
import { ROWS } from "../../matrix/rows.js";
import { range } from "../../races/race.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";

function closerOf({ backend }: CaseContext): () => Promise<unknown> {
  const { unguarded } = backend;
  const close: unknown = Reflect.get(unguarded, "close");
  if (typeof close !== "function") throw new NotApplicable("the backend has no 'close'");
  return async () => (await Reflect.apply(close, unguarded, [])) as unknown;
}

async function closing(context: CaseContext, close: () => Promise<unknown>): Promise<void> {
  try {
    await close();
  } catch (thrown) {
    context.check.that(false, `close threw ${show(String(thrown))}.`, "A1");
  }
}

/** Every call after the end is an answer; the guard sees to it that none throws. */
async function afterwards(context: CaseContext): Promise<void> {
  const close = closerOf(context);
  await context.given({ "/d/a.txt": "one\n" });
  await closing(context, close);
  await closing(context, close);
  for (const row of ROWS) {
    if (row.need !== undefined && row.need !== "stat" && !context.backend.has(row.method)) continue;
    if (!context.backend.has(row.method)) continue;
    requireOffered(context, row);
    await context.backend.call(row.method, row.args("/d/a.txt", "one\n"));
    context.check.that(true, `${row.method} answered.`);
  }
  await closing(context, close);
}

/** What is under way when the backend is closed ends: done, or refused. */
async function meanwhile(context: CaseContext): Promise<void> {
  const close = closerOf(context);
  const { backend, check } = context;
  const calls = range(5).flatMap((n) => [backend.write(`/${n}.txt`, "x"), backend.ls("/")]);
  await closing(context, close);
  for (const answer of await Promise.all(calls))
    if (typeof answer.error === "string")
      check.failed(answer, ["unavailable", "aborted"], "a call that was under way", "A1");
  check.that(true, "Every call ended.");
}

/** The end of a backend. */
export const closeCases: readonly Case[] = [
  {
    id: "fault/after-close",
    rules: ["A1"],
    level: "core",
    needs: [],
    patience: 3,
    why: "Closing twice does no harm, and calls after it answer, if only with 'unavailable'.",
    hint: "A closed client throws: turn that into a result, as every other failure.",
    run: afterwards,
  },
  {
    id: "fault/close-meanwhile",
    rules: ["A1", "A7"],
    level: "core",
    needs: [],
    why: "Calls that are under way when the backend is closed are answered.",
    run: meanwhile,
  },
];
