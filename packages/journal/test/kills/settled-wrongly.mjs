// What records say of calls whose end was never recorded, beside what the base was really asked to do and answered.
import { existsSync, readFileSync } from "node:fs";
import { foreignText } from "../../../changes/test/kills/others.mjs";

/**
 * Settles the records of a trial. A call that was under way when its process died is judged by what the file held then;
 * it is unknown for a file that another editor changed.
 *
 * @param {(turnId: string, path: string) => string | undefined} textAfter What a call of a turn leads to.
 * @returns {Promise<string[]>} What is not as it was.
 */
export async function settledWrongly({ files, store, log, foreign, deaths }, textAfter) {
  const settled = await files.journal.settle(0);
  const wrong = settled.error === undefined ? [] : [`settle: ${settled.code}`];
  const { records = [] } = await files.journal.history();
  for (const { id, outcome } of records) if (outcome === "open") wrong.push(`${id} is open`);
  const begun = (await store.read({})).filter(({ phase }) => phase === "begin");
  const calls = callsIn(log);
  for (const { id, caller, method, outcome, changes } of settled.records ?? []) {
    for (const { path } of begun.find((entry) => entry.id === id)?.changes ?? []) {
      const { turnId } = caller;
      const sentence = `${turnId}: ${method} of ${path} is '${outcome}'`;
      if (outcome === "unknown") {
        if (foreign.length === 0) wrong.push(`${sentence}, without another editor`);
        continue;
      }
      const left = deaths.find(({ turns }) => turns.includes(turnId))?.left[path];
      const made = wasMade(calls, turnId, path, left, textAfter(turnId, path));
      const says = outcome === "done" && changes.some((change) => change.path === path);
      if (made !== undefined && says !== made)
        wrong.push(`${sentence}, and it was ${made ? "" : "not "}made`);
    }
  }
  return wrong;
}

function callsIn(log) {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Whether a call took effect; `undefined`: unknown. */
function wasMade(calls, turnId, path, left, after) {
  const own = calls.filter((call) => call.turnId === turnId && call.path === path);
  const phases = new Set(own.map(({ phase }) => phase));
  if (phases.has("made")) return true;
  if (!phases.has("asked") || phases.has("refused")) return false;
  return left === foreignText(path) ? undefined : left === after;
}
