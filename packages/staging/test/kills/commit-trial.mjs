// Commits that are killed once or twice, beside an editor who changes files of the base meanwhile.
import { fileURLToPath } from "node:url";
import { StagingBackend } from "@fs/staging";
import { inDyingProcess } from "../../../changes/test/kills/dying-process.mjs";
import { changeAsSomebodyElse, foreignText } from "../../../changes/test/kills/others.mjs";
import { layersOf } from "./storage.mjs";

const SCRIPT = fileURLToPath(new URL("committing-process.mjs", import.meta.url));

const BEFORE = {
  "/a": "a\n",
  "/b": "b\n",
  "/dir/c": "c\n",
  "/dir/d": "d\n",
  "/moved": "content\n",
};
const AFTER = { "/a": "A\n", "/b": "B\n", "/new": "new\n", "/there": "content\n" };
const PATHS = [...new Set([...Object.keys(BEFORE), ...Object.keys(AFTER)])];

/** @returns Of each trial how many processes were killed, and what is wrong afterwards: nothing, if all is well. */
export async function commitTrials(storage, trials) {
  const layers = await layersOf(storage);
  try {
    const places = trials.map((trial) => {
      const [base, upper] = ["base", "upper"].map((layer) => layers.open(trial.root, layer));
      return { ...trial, base, upper, staged: new StagingBackend(base, { upper, leaseMs: 60 }) };
    });
    for (const { base, staged } of places) {
      await base.uploadFiles(Object.entries(BEFORE).map(([path, text]) => [path, bytes(text)]));
      await stage(staged);
    }
    const first = await inDyingProcess(
      SCRIPT,
      trials.map(({ root, killAt, foreign, foreignAt, blind }) => ({
        storage,
        root,
        killAt,
        foreign,
        foreignAt,
        blind,
      })),
    );
    for (const [index, { base, foreign }] of places.entries())
      for (const path of first[index].meanwhile ? [] : foreign)
        await changeAsSomebodyElse(base, path);
    const twice = trials.filter(({ again }) => again !== undefined);
    const second = await inDyingProcess(
      SCRIPT,
      twice.map(({ root, again }) => ({ storage, root, killAt: again })),
    );
    const outcomes = [];
    for (const [index, trial] of places.entries()) {
      const deaths = [first[index], second[twice.indexOf(trials[index])]];
      const report = await trial.staged.commit();
      outcomes.push({
        kills: deaths.filter((death) => death?.killed).length,
        steps: first[index].steps,
        wrong: await wrongIn(trial, report),
      });
    }
    return outcomes;
  } finally {
    await layers.close();
  }
}

async function stage(staged) {
  await staged.edit("/a", "a", "A");
  await staged.edit("/b", "b", "B");
  await staged.delete("/dir");
  await staged.move("/moved", "/there");
  await staged.write("/new", "new\n");
}

async function wrongIn({ base, staged, foreign }, report) {
  const wrong = [];
  if (report.error !== undefined) wrong.push(`the last commit failed: ${report.code}`);
  const statuses = new Map((report.paths ?? []).map(({ path, status }) => [path, status]));
  for (const path of PATHS) {
    const text = await textOf(base, path);
    const status = statuses.get(path);
    const expected = foreign.includes(path) ? foreignText(path) : AFTER[path];
    // The source of a move stays when somebody else took its destination.
    const kept = path === "/moved" && foreign.includes("/there") && text === BEFORE[path];
    if (text !== expected && !kept) wrong.push(`${path} is ${JSON.stringify(text)} (${status})`);
    const done = status === "applied" || status === "already";
    if (done && foreign.length === 0 && text !== AFTER[path])
      wrong.push(`${path} is not ${status}`);
  }
  const left = await staged.changes();
  for (const { path } of left.changes ?? []) {
    const explained = foreign.includes(path) || (path === "/moved" && foreign.includes("/there"));
    if (!explained) wrong.push(`${path} is still staged`);
  }
  return wrong;
}

async function textOf(base, path) {
  const [{ content }] = await base.downloadFiles([path]);
  return content === null ? undefined : new TextDecoder().decode(content);
}

function bytes(text) {
  return new TextEncoder().encode(text);
}

const TARGETS = ["/a", "/dir/c", "/there", "/moved", "/new"];

/**
 * What the n-th trial does, of a commit of so many steps: each step in turn; two of three kill the process that
 * resumes as well; half are beside another editor, who comes during the first process or after it.
 */
export function planOf(n, steps) {
  const round = Math.floor(n / steps);
  const killAt = 1 + (n % steps);
  const twice = (n + round) % 3 > 0;
  const beside = ((n >> 1) + round) % 2 === 0;
  // The later the first process died, the fewer steps are left for the second.
  const left = Math.max(8, steps - killAt);
  return {
    killAt,
    again: twice ? 1 + ((n * 7 + round) % left) : undefined,
    foreign: beside ? [...new Set([TARGETS[n % 5], TARGETS[(n >> 2) % 5]])] : [],
    foreignAt: beside && (n >> 2) % 2 === 0 ? 1 + ((n * 5 + round) % killAt) : undefined,
  };
}
