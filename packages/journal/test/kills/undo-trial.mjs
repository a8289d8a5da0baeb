// A turn and its undo, killed once or twice, beside somebody who changes a file meanwhile.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { FilesystemBackend } from "@fs/disk";
import { fileJournal, withJournal } from "@fs/journal";
import { runAsCaller } from "@fs/protocol";

const SCRIPT = fileURLToPath(new URL("undoing-process.mjs", import.meta.url));
const BEFORE = { "/a": "turn 1\n", "/gone": "turn 1\n" };
const PATHS = ["/a", "/gone", "/new"];

/** @returns What is wrong afterwards: nothing, if all is well. */
export async function undoTrial(root, { killAt, foreign }) {
  const base = new FilesystemBackend({ rootDir: `${root}/base` });
  const store = fileJournal(new FilesystemBackend({ rootDir: `${root}/journal` }));
  const files = withJournal(base, { store });
  await runAsCaller({ turnId: "1" }, async () => {
    for (const [path, text] of Object.entries(BEFORE)) await files.write(path, text);
  });
  const killed = await undoInProcess(root, killAt);
  if (foreign !== undefined) await base.uploadFiles([[foreign, bytes("foreign\n")]]);
  const settled = await files.journal.settle(0);
  const left = await texts(base);
  const undone = await files.journal.undo({ turnId: "2" });
  const now = await texts(base);
  return {
    killed,
    wrong: [...wrongEnd(now, foreign, undone), ...(await untrue(files, left, settled))],
  };
}

/** Whatever part of the turn had been made is taken back; what somebody else wrote stays. */
function wrongEnd(now, foreign, undone) {
  const wrong = [];
  if (undone.error !== undefined && undone.code !== "not_found") wrong.push(`undo: ${undone.code}`);
  for (const path of PATHS) {
    const expected = path === foreign ? "foreign\n" : BEFORE[path];
    if (now[path] !== expected) wrong.push(`${path} is ${JSON.stringify(now[path])}`);
  }
  return wrong;
}

/** Every record has an end, and no end says other than what the files held. */
async function untrue(files, left, settled) {
  const wrong = settled.error === undefined ? [] : [`settle: ${settled.code}`];
  const { records = [] } = await files.journal.history();
  for (const { id, outcome } of records) if (outcome === "open") wrong.push(`${id} is open`);
  for (const { outcome, method, changes } of settled.records ?? []) {
    const later = (path) =>
      records.some(
        (one) =>
          one.undoes !== undefined &&
          one.method !== method &&
          one.changes.some((change) => change.path === path),
      );
    for (const { path, after } of outcome === "done" ? changes : []) {
      const size = left[path] === undefined ? null : bytes(left[path]).length;
      if (size !== (after?.size ?? null) && !later(path))
        wrong.push(`${method} of ${path} is not done`);
    }
  }
  return wrong;
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

function undoInProcess(root, killAt) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [SCRIPT, JSON.stringify({ root, killAt })], (error, _, stderr) => {
      if (error === null) resolve(false);
      else if (error.signal === "SIGKILL") resolve(true);
      else reject(new Error(stderr));
    });
  });
}

function bytes(text) {
  return new TextEncoder().encode(text);
}

/** What the n-th trial does: every step in turn, half of them beside somebody else. */
export function planOf(n) {
  return { killAt: 1 + (n % 70), foreign: n % 2 === 0 ? undefined : PATHS[(n >> 1) % 3] };
}
