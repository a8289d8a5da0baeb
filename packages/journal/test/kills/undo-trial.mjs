// A turn and its undo, killed once or twice, beside somebody who changes a file meanwhile.
import { existsSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runAsCaller } from "@fs/protocol";
import { inDyingProcess } from "../../../changes/test/kills/dying-process.mjs";
import { changeAsSomebodyElse, foreignText } from "../../../changes/test/kills/others.mjs";
import { journalledIn } from "./storage.mjs";
import { settledWrongly } from "./settled-wrongly.mjs";

const SCRIPT = fileURLToPath(new URL("undoing-process.mjs", import.meta.url));
const BEFORE = { "/a": "turn 1\n", "/gone": "turn 1\n" };
const TURN = { "/a": "turn 2\n", "/new": "turn 2\n" };
const PATHS = ["/a", "/gone", "/new"];

/**
 * @param storage Where files and journals are kept.
 * @param trials Each with a plan, a `root` of its own, and a `folder` of its own for what its processes note.
 * @returns Of each how many processes were killed, and what is wrong afterwards: nothing, if all is well.
 */
export async function undoTrials(storage, trials) {
  const places = await journalledIn(storage);
  const application = "killed";
  try {
    const open = trials.map((trial) => {
      if (!existsSync(trial.folder)) mkdirSync(trial.folder, { recursive: true });
      const log = `${trial.folder}/calls`;
      return { ...trial, ...places.open(trial.root), log, deaths: [], wrong: [] };
    });
    for (const { files } of open)
      await runAsCaller({ turnId: "1" }, async () => {
        for (const [path, text] of Object.entries(BEFORE)) await files.write(path, text);
      });
    const run = async (some, taskOf) => {
      const tasks = some.map((trial) => ({
        storage: { ...storage, application },
        root: trial.root,
        log: trial.log,
        ...taskOf(trial),
      }));
      const outcomes = await inDyingProcess(SCRIPT, tasks);
      await places.allStatementsEnded(application);
      for (const [index, trial] of some.entries()) {
        trial.steps ??= outcomes[index].steps;
        if (outcomes[index].killed)
          trial.deaths.push({ turns: turnsOf(tasks[index]), left: await texts(trial.base) });
      }
      return outcomes;
    };
    const first = await run(open, ({ killAt, foreign, foreignAt, blind }) => ({
      turn: "2",
      undo: "undo",
      killAt,
      foreign,
      foreignAt,
      blind,
    }));
    for (const [index, { base, foreign }] of open.entries())
      for (const path of first[index].meanwhile ? [] : foreign)
        await changeAsSomebodyElse(base, path);
    for (const trial of open) trial.wrong.push(...(await settledWrongly(trial, textAfter)));
    const twice = open.filter(({ again }) => again !== undefined);
    await run(twice, ({ again }) => ({ undo: "undo again", killAt: again }));
    for (const trial of twice) trial.wrong.push(...(await settledWrongly(trial, textAfter)));
    const outcomes = [];
    for (const { files, base, foreign, deaths, steps, wrong } of open) {
      const undone = await files.journal.undo({ turnId: "2" });
      const end = wrongEnd(await texts(base), foreign, undone);
      outcomes.push({ kills: deaths.length, steps, wrong: [...wrong, ...end] });
    }
    return outcomes;
  } finally {
    await places.close();
  }
}

/** Whatever part of the turn had been made is taken back; what others wrote stays. */
function wrongEnd(now, foreign, undone) {
  const wrong = [];
  if (undone.error !== undefined && undone.code !== "not_found") wrong.push(`undo: ${undone.code}`);
  for (const path of PATHS) {
    const expected = foreign.includes(path) ? foreignText(path) : BEFORE[path];
    if (now[path] !== expected) wrong.push(`${path} is ${JSON.stringify(now[path])}`);
  }
  return wrong;
}

function turnsOf({ turn, undo }) {
  return turn === undefined ? [undo] : [turn, undo];
}

/** What a file holds after a call of the turn, or of an undo. */
function textAfter(turnId, path) {
  return turnId === "2" ? TURN[path] : BEFORE[path];
}

async function texts(base) {
  const read = await base.downloadFiles(PATHS);
  return Object.fromEntries(
    read.map(({ path, content }) => [
      path,
      content === null ? undefined : new TextDecoder().decode(content),
    ]),
  );
}

/**
 * What the n-th trial does, of a turn and an undo of so many steps: each step in turn; two of three kill a second undo
 * as well; half are beside another editor, who comes during the first process or after it.
 */
export function planOf(n, steps) {
  const round = Math.floor(n / steps);
  const killAt = 1 + (n % steps);
  const beside = ((n >> 1) + round) % 2 === 0;
  return {
    killAt,
    again: (n + round) % 3 > 0 ? 1 + ((n * 7 + round) % 12) : undefined,
    foreign: beside ? [PATHS[(n >> 2) % 3]] : [],
    foreignAt: beside && (n >> 2) % 2 === 0 ? 1 + ((n * 5 + round) % killAt) : undefined,
  };
}
