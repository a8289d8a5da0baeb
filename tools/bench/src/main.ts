import { parseArgs } from "node:util";
import { renderPages, writeResults } from "./render.js";
import { runSuite, suites } from "./run-suites.js";

const USAGE = `npm run bench -- [--only SUITE,…] [--sizes 100,1000,10000] [--rounds 7] [--render]
Suites: ${Object.keys(suites).join(", ")}. --render writes the pages from the results that are there.`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    sizes: { type: "string", default: "100,1000,10000" },
    rounds: { type: "string", default: "7" },
    render: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
const sizes = values.sizes.split(",").map(Number);
const rounds = Number(values.rounds);
if ([...sizes, rounds].some((number) => !Number.isSafeInteger(number) || number < 1)) {
  process.stderr.write(`--sizes and --rounds are positive whole numbers.\n${USAGE}\n`);
  process.exit(2);
}
const names = values.only?.split(",") ?? Object.keys(suites);
const unknown = names.filter((name) => suites[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`There is no suite ${unknown.join(", ")}.\n${USAGE}\n`);
  process.exit(2);
}
if (!values.render)
  for (const name of names) {
    const options = `--only ${name} --sizes ${values.sizes} --rounds ${rounds}`;
    writeResults(await runSuite(name, { sizes, rounds, command: `npm run bench -- ${options}` }));
  }
await renderPages();
