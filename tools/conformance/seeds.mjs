// `node tools/conformance/seeds.mjs [--tier quick] [--seeds 50] [--from 1] [--on memory|disk] [--only "explore/*"]`: runs the suite on what is
// known to be right, seed after seed. Whatever fails is a false alarm.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    tier: { type: "string", default: "quick" },
    seeds: { type: "string", default: "50" },
    from: { type: "string", default: "1" },
    on: { type: "string", default: "memory" },
    only: { type: "string" },
  },
});

const { runConformance, BAD_STATUSES } = await import("../../packages/conformance/dist/index.js");
const harness = values.on === "disk" ? await onDisk() : await inMemory();
let alarms = 0;
for (let seed = Number(values.from); seed < Number(values.from) + Number(values.seeds); seed++) {
  const report = await runConformance(harness, {
    tier: values.tier,
    seed,
    ...(values.only === undefined ? {} : { only: values.only }),
  });
  const failed = report.cases.filter(({ status }) => BAD_STATUSES.has(status));
  const broken = failed.find(({ status }) => status === "error");
  if (broken !== undefined) throw new Error(`${broken.id} did not run: ${broken.reason}`);
  alarms += failed.length;
  console.log(
    `seed ${seed}: ${failed.length === 0 ? "nothing" : failed.map(({ id }) => id).join(", ")}`,
  );
  for (const { text, reason } of failed) console.log(text ?? reason);
}
console.log(`${alarms} false alarms in ${values.seeds} seeds of ${values.tier} on ${values.on}.`);
process.exitCode = alarms === 0 ? 0 : 1;

async function inMemory() {
  const { MemoryVolume } = await import("../../packages/protocol/dist/index.js");
  const { VolumeBackend } = await import("../../packages/protocol/dist/author.js");
  const volumes = new Map();
  return {
    name: "memory",
    create: ({ ns }) => {
      volumes.set(ns, new MemoryVolume());
      return new VolumeBackend(volumes.get(ns));
    },
    peer: ({ ns }) => new VolumeBackend(volumes.get(ns)),
  };
}

async function onDisk() {
  const { FilesystemBackend } = await import("../../packages/disk/dist/index.js");
  const base = mkdtempSync(join(tmpdir(), "fs-conformance-seeds-"));
  const open = ({ ns }) => new FilesystemBackend({ rootDir: join(base, ns) });
  return {
    name: "disk",
    create: open,
    peer: open,
    reopen: open,
    teardown: () => rmSync(base, { recursive: true, force: true }),
    profile: {
      directories: "real",
      symlinks: "reject",
      durable: true,
      limits: { pathBytes: 3500 },
    },
  };
}
