// `npm run mutate [-- --modules text,glob,relocation] [--sample 200] [--seed 1] [--units]`: puts syntactic faults into
// packages/protocol, one at a time, and asks the suite whether it notices; `--units` asks the package's own tests about
// those that it does not. `--again` asks once more about the survivors of the run before. Writes docs/mutation.md. It takes about two seconds a fault on an idle core.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { root } from "../bootstrap/repository.mjs";
import { faultsOf } from "./faults.mjs";
import { explanationOf, pageOf } from "./page.mjs";

const { values } = parseArgs({
  options: {
    modules: { type: "string", default: "text,glob,paths,relocation,backend,call" },
    sample: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    units: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    minutes: { type: "string", default: "600" },
  },
});

/** Milliseconds after which a fault has made a call that never ends. */
const PATIENCE_MS = 120_000;
/** Faults of one worker: each keeps its own copy of the protocol in memory. */
const PER_WORKER = 60;

const dist = `${root}/packages/protocol/dist`;
const modules = values.modules.split(",").flatMap((folder) =>
  readdirSync(`${dist}/${folder}`)
    .filter((name) => name.endsWith(".js"))
    .map((name) => `${folder}/${name}`),
);
const all = modules.flatMap((module) => {
  const code = readFileSync(`${dist}/${module}`, "utf8");
  return faultsOf(code).map((fault) => ({
    module,
    line: code.slice(0, fault.start).split("\n").length,
    shown: code
      .slice(code.lastIndexOf("\n", fault.start) + 1)
      .split("\n")[0]
      .trim(),
    ...fault,
  }));
});
const before = values.again
  ? JSON.parse(readFileSync(`${root}/reports/mutation.json`, "utf8"))
  : [];
const known = before.filter(({ killers, units }) => killers.length > 0 || units);
const faults = values.again
  ? before.filter((fault) => !known.includes(fault) && explanationOf(fault) === undefined)
  : sampled(all, Number(values.sample), Number(values.seed));
const explained = before.filter((fault) => !known.includes(fault) && !faults.includes(fault));
const possible = all.length;
const until = Date.now() + Number(values.minutes) * 60_000;

const results = [...known, ...explained];
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
  const units = killers.length === 0 && values.units ? unitTestsNotice(fault) : false;
  results.push({ ...fault, killers, units });
  const verdict = killers[0] ?? (units ? "unit tests" : "SURVIVES");
  console.log(`${n + 1}/${faults.length} ${fault.module}:${fault.line} ${fault.what}: ${verdict}`);
}
await worker?.terminate();
writeFileSync(`${root}/reports/mutation.json`, JSON.stringify(results));
writeFileSync(`${root}/docs/mutation.md`, pageOf(results, possible));

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

/** As many as asked for, chosen by a seed; 0 for all. */
function sampled(items, count, seed) {
  if (count === 0 || count >= items.length) return items;
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const keyed = items.map((item, place) => ({ item, place, key: random() }));
  return keyed
    .toSorted((a, b) => a.key - b.key)
    .slice(0, count)
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
