// `npm run soak -- [--minutes 10] [--storages disk,postgres,redis,s3] [--processes 4] [--fault-every 2] [--keep]`
import { parseArgs } from "node:util";
import { render } from "./render.js";
import { soak } from "./soak.js";
import { STORAGES, type StorageName } from "./storage-name.js";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    storages: { type: "string", default: STORAGES.join(",") },
    processes: { type: "string", default: "4" },
    "fault-every": { type: "string", default: "2" },
    keep: { type: "boolean", default: false },
  },
});

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new TypeError(`--${name} takes a number above 0, not '${text}'.`);
  return number;
}

const storages = values.storages.split(",").map((name): StorageName => {
  const known = STORAGES.find((storage) => storage === name);
  if (known === undefined)
    throw new TypeError(`--storages takes some of ${STORAGES.join(",")}, not '${name}'.`);
  return known;
});
const report = await soak({
  storages,
  processes: Math.ceil(positive("processes", values.processes)),
  ms: positive("minutes", values.minutes) * 60_000,
  faultEveryMs: positive("fault-every", values["fault-every"]) * 1000,
  keep: values.keep,
});
console.log(render(report));
if (values.keep) console.log(`The files and journals are in ${report.folder}`);
if (Object.values(report.findings).some((list) => list.length > 0)) process.exitCode = 1;
