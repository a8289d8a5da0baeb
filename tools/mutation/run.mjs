// `npm run mutate [-- --modules text,glob,relocation] [--file text/edit.js] [--sample 200] [--seed 1] [--units] [--minutes 15]`:
// puts syntactic faults into packages/protocol, one at a time, and asks the suite whether it notices; `--units` asks the
// package's own tests about those that it does not. `--resume` keeps what earlier runs found about modules that have not
// changed since, and goes on with other faults; `--again` asks once more about what survived then. Every fault's verdict
// is kept at once in tools/mutation/verdicts.json. Writes docs/mutation.md. It takes some seconds a fault on an idle core.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { root } from "../bootstrap/repository.mjs";
import { faultsOf } from "./faults.mjs";
import { explanationOf, pageOf } from "./page.mjs";

const { values } = parseArgs({
  options: {
    modules: { type: "string", default: "text,glob,paths,relocation,backend,call" },
    file: { type: "string", multiple: true, default: [] },
    sample: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    units: { type: "boolean", default: false },
    resume: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    minutes: { type: "string", default: "600" },
  },
});

/** Milliseconds after which a fault has made a call that never ends. */
const PATIENCE_MS = 120_000;
/** Faults of one worker: each keeps its own copy of the protocol in memory. */
const PER_WORKER = 60;

/** In the repository, so that anyone can go on. */
const KEPT = `${root}/tools/mutation/verdicts.json`;
const dist = `${root}/packages/protocol/dist`;
const modules = values.modules.split(",").flatMap((folder) =>
  readdirSync(`${dist}/${folder}`)
    .filter((name) => name.endsWith(".js"))
    .map((name) => `${folder}/${name}`),
);
const all = modules.flatMap((module) => {
  const code = readFileSync(`${dist}/${module}`, "utf8");
  const digest = createHash("sha256").update(code).digest("hex").slice(0, 12);
  return faultsOf(code).map((fault) => ({
    module,
    digest,
    line: code.slice(0, fault.start).split("\n").length,
    shown: code
      .slice(code.lastIndexOf("\n", fault.start) + 1)
      .split("\n")[0]
      .trim(),
    ...fault,
  }));
});
const earlier = values.resume || values.again ? verdictsKept() : new Map();
const isSettled = (fault) => {
  const verdict = earlier.get(keyOf(fault));
  if (verdict === undefined) return false;
  return !values.again || isNoticed(verdict) || explanationOf(verdict) !== undefined;
};
const left = all.filter(
  (fault) =>
    !isSettled(fault) &&
    (!values.again || earlier.has(keyOf(fault))) &&
    (values.file.length === 0 || values.file.includes(fault.module)),
);
const faults = sampled(left, Number(values.sample), Number(values.seed));
const until = Date.now() + Number(values.minutes) * 60_000;

await requireSoundOracle();
let worker;
for (const [n, fault] of faults.entries()) {
  if (Date.now() > until) break;
  if (n % PER_WORKER === 0) {
    await worker?.terminate();
    worker = undefined;
  }
  worker ??= new Worker(new URL("oracle.mjs", import.meta.url));
  const { killers, hung } = await asked(worker, fault);
  if (hung) {
    await worker.terminate();
    worker = undefined;
  }
  // Without `--units` it stays unknown whether they would.
  const asksUnits = killers.length === 0 && values.units;
  const units = asksUnits ? unitTestsNotice(fault) : false;
  earlier.set(keyOf(fault), { ...fault, killers, ...(asksUnits ? { units } : {}) });
  keep();
  const verdict = killers[0] ?? (units ? "unit tests" : "SURVIVES");
  console.log(`${n + 1}/${faults.length} ${fault.module}:${fault.line} ${fault.what}: ${verdict}`);
}
await worker?.terminate();
const PAGE = `${root}/docs/mutation.md`;
writeFileSync(PAGE, pageOf(inOrder(), all.length));
execFileSync(`${root}/node_modules/.bin/oxfmt`, [PAGE, KEPT], { cwd: root });

function keyOf({ module, digest, start, end, text }) {
  return [module, digest, start, end, text].join();
}

function isNoticed({ killers, units }) {
  return killers.length > 0 || units === true;
}

/** What earlier runs found; verdicts on modules that have changed since are dropped. */
function verdictsKept() {
  if (!existsSync(KEPT)) return new Map();
  const possible = new Set(all.map(keyOf));
  const verdicts = JSON.parse(readFileSync(KEPT, "utf8"));
  return new Map(verdicts.map((one) => [keyOf(one), one]).filter(([key]) => possible.has(key)));
}

function keep() {
  const lines = inOrder().map((verdict) => JSON.stringify(verdict));
  writeFileSync(KEPT, `[\n${lines.join(",\n")}\n]\n`);
}

function inOrder() {
  return all.map((fault) => earlier.get(keyOf(fault))).filter((verdict) => verdict !== undefined);
}

/** Without a fault nothing may be noticed: else every verdict would be worthless. */
async function requireSoundOracle() {
  const [{ module }] = all;
  const oracle = new Worker(new URL("oracle.mjs", import.meta.url));
  const { killers } = await asked(oracle, { module, start: 0, end: 0, text: "" });
  await oracle.terminate();
  if (killers.length > 0)
    throw new Error(`The suite complains about the protocol as it is: ${killers.join(", ")}`);
}

function asked(target, fault) {
  return new Promise((resolve) => {
    const done = (answer) => {
      clearTimeout(timer);
      target.off("message", done);
      target.off("error", broken);
      resolve(answer);
    };
    const broken = (error) => done({ killers: [`it ends: ${error.message}`], hung: true });
    const never = { killers: ["a call that never ends"], hung: true };
    const timer = setTimeout(() => done(never), PATIENCE_MS);
    target.on("message", done);
    target.on("error", broken);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window.
    target.postMessage(fault);
  });
}

/** Whether a test of the package itself fails, with the fault in what Vitest loads. */
function unitTestsNotice(fault) {
  const { status } = spawnSync(
    process.execPath,
    [
      `${root}/node_modules/vitest/vitest.mjs`,
      "run",
      "--config",
      `${root}/tools/mutation/vitest.config.ts`,
      "--bail",
      "1",
      "--maxWorkers",
      "1",
    ],
    {
      cwd: root,
      env: { ...process.env, FS_FAULT: JSON.stringify(fault) },
      stdio: "ignore",
      timeout: PATIENCE_MS,
    },
  );
  return status !== 0;
}

/** As many as asked for, 0 for all, in an order chosen by a seed: a run that time ends is a fair sample too. */
function sampled(items, count, seed) {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed
    .toSorted((a, b) => a.key - b.key)
    .slice(0, count === 0 ? items.length : count)
    .map(({ item }) => item);
}
