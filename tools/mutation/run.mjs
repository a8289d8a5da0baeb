// `npm run mutate [-- --package disk] [--file tree/move.js] [--sample 200] [--seed 1] [--reached] [--units] [--minutes 15]`:
// puts syntactic faults into the protocol or a storage, one at a time, and asks the suite whether it notices; `--reached`
// leaves out code that the suite does not run, and `--units` asks the package's other tests about what it lets pass.
// `--resume` keeps what earlier runs found about modules that have not changed since, and goes on with other faults; `--again`
// asks once more about what survived then. Every verdict is kept at once in tools/mutation/verdicts. Writes docs/mutation.md;
// `--assemble` does only that. On an idle core it takes seconds a fault that is noticed, as long as the suite takes for
// others, and a minute where all tests of a package are asked. Servers are started by each run, unless a URL in the
// environment names one (FS_TEST_POSTGRES_URL and so on).
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { root } from "../bootstrap/repository.mjs";
import { isDeployed, SuiteOver } from "./ask-suite.mjs";
import { TestsOf } from "./ask-tests.mjs";
import { explanationOf, idleExplanations, pageOf } from "./page.mjs";
import { PACKAGES, possibleFaults } from "./possible-faults.mjs";
import { fileOf, inOrder, keep, keyOf, verdictsKept } from "./verdicts.mjs";

const { values } = parseArgs({
  options: {
    package: { type: "string", default: "protocol" },
    file: { type: "string", multiple: true, default: [] },
    sample: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    reached: { type: "boolean", default: false },
    units: { type: "boolean", default: false },
    resume: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    assemble: { type: "boolean", default: false },
    minutes: { type: "string", default: "600" },
  },
});
if (!PACKAGES.includes(values.package))
  throw new Error(`--package is one of ${PACKAGES.join(", ")}, not '${values.package}'.`);

if (!values.assemble) await tryFaults();
const page = `${root}/docs/mutation.md`;
const found = PACKAGES.map((name) => {
  const possible = possibleFaults(name);
  return { name, possible, results: inOrder(verdictsKept(name, possible), possible) };
});
const idle = idleExplanations(found.flatMap(({ possible }) => possible));
for (const { module, shown } of idle)
  console.error(
    `No fault of ${module} is explained by '${shown}': see tools/mutation/explained.mjs.`,
  );
if (idle.length > 0) process.exitCode = 1;
writeFileSync(page, pageOf(found));
const kept = found.filter(({ results }) => results.length > 0).map(({ name }) => fileOf(name));
execFileSync(`${root}/node_modules/.bin/oxfmt`, [page, ...kept], { cwd: root });

async function tryFaults() {
  const possible = possibleFaults(values.package);
  const verdicts =
    values.resume || values.again ? verdictsKept(values.package, possible) : new Map();
  const until = Date.now() + Number(values.minutes) * 60_000;
  const suite = new SuiteOver(values.package);
  try {
    await tryEach(suite, possible, verdicts, until);
  } finally {
    await suite.end();
  }
}

async function tryEach(suite, possible, verdicts, until) {
  const tests = new TestsOf(values.package);
  const asked = possible.filter((fault) => isAsked(fault, verdicts));
  const deployed = asked.find(isDeployed);
  if (deployed !== undefined) await suite.requireSound(deployed.module);
  const faults = sampled(
    asked.filter((fault) => !values.reached || (isDeployed(fault) && suite.reaches(fault))),
    Number(values.sample),
    Number(values.seed),
  );
  for (const [n, fault] of faults.entries()) {
    if (Date.now() > until) break;
    const verdict = await verdictOn(fault, suite, tests);
    verdicts.set(keyOf(fault), { ...fault, ...verdict });
    keep(values.package, inOrder(verdicts, possible));
    const { killers, units } = verdict;
    console.log(
      `${n + 1}/${faults.length} ${fault.module}:${fault.line} ${fault.what}: ${killers[0] ?? (units === true ? "other tests" : "SURVIVES")}`,
    );
  }
}

/** `{ killers, reached?, units? }`: the first cases that notice the fault, whether the suite runs its code, whether other tests notice it. */
async function verdictOn(fault, suite, tests) {
  const reached = isDeployed(fault) ? suite.reaches(fault) : undefined;
  const killers = await suiteNotices(fault, { reached, suite, tests });
  const known = { killers: killers.slice(0, 3), ...(reached === undefined ? {} : { reached }) };
  // Without `--units` it stays unknown whether other tests would.
  if (killers.length > 0 || !values.units) return known;
  return { ...known, units: tests.notices("own", fault).length > 0 };
}

async function suiteNotices(fault, { reached, suite, tests }) {
  if (reached === undefined) return tests.notices("suite", fault);
  return reached ? suite.notices(fault) : [];
}

function isAsked(fault, verdicts) {
  if (values.file.length > 0 && !values.file.includes(fault.module)) return false;
  const verdict = verdicts.get(keyOf(fault));
  if (!values.again) return verdict === undefined;
  return verdict !== undefined && isOpen(verdict);
}

function isOpen(verdict) {
  const { killers, units } = verdict;
  return killers.length === 0 && units !== true && explanationOf(verdict) === undefined;
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
