// Runs the suite against a backend made of a faulty protocol. A worker of its own, because a fault may never end.
import { register } from "node:module";
import { parentPort } from "node:worker_threads";

register("./hooks.mjs", import.meta.url);
process.on("unhandledRejection", () => {});

const { faultyVolume, runConformance } = await import("../../packages/conformance/dist/index.js");
const BAD = new Set(["fail", "error", "timeout"]);
const SKIPPED = ["hooks/*", "exec/*", "wrap/*"];

/** The deployments of a fault, the quickest to decide first. */
function harnesses({ MemoryBackend, MemoryVolume, VolumeBackend }) {
  const volumes = new Map();
  return [
    {
      harness: {
        name: "memory, with a second client and faults",
        create: ({ ns }) => {
          const faulty = faultyVolume(new MemoryVolume());
          volumes.set(ns, faulty);
          return new VolumeBackend(faulty.volume);
        },
        peer: ({ ns }) => new VolumeBackend(volumes.get(ns).volume),
        faults: ({ ns }) => volumes.get(ns).faults,
      },
    },
    {
      harness: {
        name: "memory, overwriting, with a limit",
        profile: { writeMode: "overwrite", limits: { fileBytes: 100_000 } },
        create: () => new MemoryBackend({ writeMode: "overwrite", maxFileBytes: 100_000 }),
      },
      only: ["write/*", "scale/*limit*", "matrix/write-*", "upload/*", "raw/*"],
    },
  ];
}

async function killers(fault) {
  const query = Buffer.from(JSON.stringify(fault)).toString("base64url");
  // One query is one graph: both entries share its modules.
  const { MemoryBackend, MemoryVolume } = await import(
    `../../packages/protocol/dist/index.js?fault=${query}`
  );
  const { VolumeBackend } = await import(`../../packages/protocol/dist/author.js?fault=${query}`);
  const protocol = { MemoryBackend, MemoryVolume, VolumeBackend };
  for (const { harness, only } of harnesses(protocol)) {
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
  return cases.filter(({ status }) => BAD.has(status)).map(({ id }) => id);
}

async function answer(fault) {
  try {
    return { killers: await killers(fault) };
  } catch (error) {
    // It does not even load: no caller could miss that.
    return { killers: [`it does not load: ${error.message}`] };
  }
}

parentPort.on("message", (fault) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window.
  void answer(fault).then((verdict) => parentPort.postMessage(verdict));
});
