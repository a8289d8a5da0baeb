// One commit, killed once or twice, beside somebody who changes files of the base meanwhile.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { StagingBackend } from "@fs/staging";
import { openLayer } from "./storage.mjs";

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

/**
 * @returns How the first process ended, and what is wrong afterwards: nothing, if all is well.
 * @param {object} where @param {{ killAt: number, again: number | undefined, foreign: readonly string[] }} plan
 */
export async function commitTrial(where, { killAt, again, foreign }) {
  const [base, upper] = ["base", "upper"].map((layer) => openLayer(where, layer));
  try {
    await base.uploadFiles(Object.entries(BEFORE).map(([path, text]) => [path, bytes(text)]));
    const staged = new StagingBackend(base, { upper, leaseMs: 60 });
    await stage(staged);
    const first = await commitInProcess(where, killAt);
    for (const path of foreign) await changeAsSomebodyElse(base, path);
    if (again !== undefined) await commitInProcess(where, again);
    const report = await staged.commit();
    return { killed: first.killed, wrong: await wrongIn(base, staged, report, foreign) };
  } finally {
    await Promise.all([base, upper].map((backend) => backend.close?.()));
  }
}

async function stage(staged) {
  await staged.edit("/a", "a", "A");
  await staged.edit("/b", "b", "B");
  await staged.delete("/dir");
  await staged.move("/moved", "/there");
  await staged.write("/new", "new\n");
}

function commitInProcess(where, killAt) {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [SCRIPT, JSON.stringify({ where, killAt })],
      (error, stdout, stderr) => {
        if (error === null) resolve({ killed: false, steps: Number(stdout) });
        else if (error.signal === "SIGKILL") resolve({ killed: true });
        else reject(new Error(stderr));
      },
    );
  });
}

/** A file that is there is changed, one that is not is created; each by one call that cannot be lost. */
async function changeAsSomebodyElse(base, path) {
  const [answer] = await base.uploadFiles([[path, bytes(`foreign ${path}\n`)]]);
  if (answer.error !== null) throw new Error(`${path}: ${answer.code}`);
}

async function wrongIn(base, staged, report, foreign) {
  const wrong = [];
  if (report.error !== undefined) wrong.push(`the last commit failed: ${report.code}`);
  const statuses = new Map((report.paths ?? []).map(({ path, status }) => [path, status]));
  for (const path of PATHS) {
    const text = await textOf(base, path);
    const status = statuses.get(path);
    const expected = foreign.includes(path) ? `foreign ${path}\n` : AFTER[path];
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

/** What the n-th trial does: every step in turn, half of them killed twice, half beside somebody else. */
export function planOf(n) {
  const targets = ["/a", "/dir/c", "/there", "/moved", "/new"];
  return {
    killAt: 1 + (n % 90),
    again: n % 2 === 0 ? 1 + ((n * 7) % 60) : undefined,
    foreign: n % 4 < 2 ? [] : [targets[n % 5], targets[(n >> 2) % 5]].filter(unique),
  };
}

function unique(value, index, list) {
  return list.indexOf(value) === index;
}
