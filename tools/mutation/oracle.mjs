// Runs the suite against a storage with a faulty module. A worker of its own, because a fault may never end.
import { register } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { BAD_STATUSES, runConformance } from "../../packages/conformance/dist/index.js";
import { deployments } from "./deployments.mjs";
import { FAULT } from "./hooks.mjs";
import { countingReach } from "./reach.mjs";

register("./hooks.mjs", import.meta.url);
process.on("unhandledRejection", () => {});

const { name, info } = workerData;
/** Of the protocol the hooks are not asked for, which its memory has not. */
const SKIPPED = name === "protocol" ? ["hooks/*", "exec/*", "wrap/*"] : [];

async function killers(fault) {
  const query = Buffer.from(JSON.stringify(fault)).toString("base64url");
  // One query is one graph: all entries share its modules.
  const load = (entry) => import(`../../packages/${name}/dist/${entry}${FAULT}${query}`);
  for (const { harness, only } of await deployments[name].harnesses(load, info)) {
    const bad = await failuresOf(harness, only, SKIPPED);
    if (bad.length > 0) return bad;
  }
  return [];
}

/** What fails, and fails again alone: a busy machine is no reason to call a fault noticed. */
async function failuresOf(harness, only, skip) {
  const options = { tier: "quick", seed: 1 };
  const selected = only === undefined ? {} : { only };
  const first = badOf(await runConformance(harness, { ...options, ...selected, skip, bail: true }));
  if (first.length === 0) return [];
  const again = badOf(await runConformance(harness, { ...options, only: first }));
  return again.length > 0 ? again : failuresOf(harness, only, [...skip, ...first]);
}

function badOf({ cases }) {
  return cases.filter(({ status }) => BAD_STATUSES.has(status)).map(({ id }) => id);
}

async function answer({ fault, counting }) {
  try {
    if (!counting) return { killers: await killers(fault) };
    const { result, counted } = await countingReach(name, () => killers(fault));
    return { killers: result, counted };
  } catch (error) {
    // It does not even load: no caller could miss that.
    return { killers: [`it does not load: ${error.message}`] };
  }
}

parentPort.on("message", (question) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window.
  void answer(question).then((verdict) => parentPort.postMessage(verdict));
});
