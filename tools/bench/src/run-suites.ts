import { cpus, loadavg } from "node:os";
import { createRequire } from "node:module";
import { agentSuite, stateSuite } from "./agent-suite.js";
import { compare } from "./measure.js";
import { type OperationName, operations } from "./operations.js";
import type { Results, Row, Side } from "./results.js";
import type { Subject } from "./subject.js";
import { disk } from "./subjects/disk.js";
import { hub } from "./subjects/hub.js";
import { memory, wrapped } from "./subjects/memory.js";
import { postgres } from "./subjects/postgres.js";
import { redis } from "./subjects/redis.js";
import { s3 } from "./subjects/s3.js";
import { sandbox } from "./subjects/sandbox.js";
import { stateVolume } from "./subjects/state.js";
import { store, storeOnPostgres } from "./subjects/store.js";

export interface RunOptions {
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly command: string;
}

type Measured = Pick<Results, "suite" | "title" | "sides" | "clock" | "rows">;
/** Rounds of operations that take long. */
const SLOW: ReadonlySet<OperationName> = new Set([
  "glob of one name at any depth",
  "grep of everything, no match",
]);
const PACKAGES = ["deepagents", "langchain", "@langchain/langgraph", "pg", "ioredis"];
const require = createRequire(import.meta.url);

/** Every suite by its name, in the order in which they run. */
export const suites: Readonly<Record<string, (options: RunOptions) => Promise<Measured>>> = {
  memory: (options) => measured(memory, options),
  wrappers: (options) => measured(wrapped, { ...options, sizes: [1_000] }),
  disk: (options) => measured(disk, options),
  state: ({ sizes, rounds }) => stateSuite(sizes, rounds),
  "state-volume": (options) => measured(stateVolume, options),
  store: (options) => measured(store, options),
  "store-postgres": (options) => measured(storeOnPostgres(), options),
  postgres: (options) => measured(postgres(), options),
  redis: (options) => measured(redis(), options),
  s3: (options) => measured(s3(), options),
  hub: (options) => measured(hub(), options),
  sandbox: (options) => measured(sandbox, options),
  agent: ({ rounds }) => agentSuite(rounds),
};

async function measured(subject: Subject, { sizes, rounds }: RunOptions): Promise<Measured> {
  const rows: Row[] = [];
  try {
    for (const files of sizes.filter((size) => size <= subject.mostFiles))
      rows.push(...(await measureAt(subject, files, rounds)));
  } finally {
    await subject.stop?.();
  }
  const { suite, title, sides, clock } = subject;
  return { suite, title, sides, clock, rows };
}

/** Measures one storage with so many files. */
export async function measureAt(subject: Subject, files: number, rounds: number): Promise<Row[]> {
  const filled = await subject.open(files);
  const ours = operations(filled.ours);
  const peer = filled.peer === undefined ? undefined : operations(filled.peer);
  const rows: Row[] = [];
  for (const name of Object.keys(ours) as OperationName[]) {
    const limit = filled.limits?.[name];
    const calls = { limit, ours: ours[name], peer: peer?.[name] };
    const sides: Partial<Record<Side, () => unknown>> = Object.fromEntries(
      Object.entries(calls).filter(([, call]) => call !== undefined),
    );
    const few = SLOW.has(name) && files >= 10_000 ? Math.min(rounds, 3) : rounds;
    const counters = filled.counters ?? {};
    rows.push(
      await compare({ operation: name, files, sides, counters, rounds: few, clock: subject.clock }),
    );
    process.stderr.write(`${subject.suite} ${files} ${name}\n`);
  }
  await filled.close();
  return rows;
}

/** Runs one suite, and says where. */
export async function runSuite(name: string, options: RunOptions): Promise<Results> {
  const run = suites[name];
  if (run === undefined)
    throw new Error(`There is no suite ${name}. Suites: ${Object.keys(suites).join(", ")}.`);
  const result = await run(options);
  const { rounds, command } = options;
  const machine = `${cpus()[0]?.model.trim() ?? "unknown"}, ${cpus().length} cores, ${process.platform}`;
  const versions = Object.fromEntries([
    ["node", process.version.slice(1)],
    ...PACKAGES.map((known) => [known, versionOf(known)] as const),
  ]);
  const date = new Date().toISOString().slice(0, 10);
  const load = Number(loadavg()[0]?.toFixed(1));
  return { ...result, date, command, machine, load, rounds, versions };
}

function versionOf(name: string): string {
  const found: unknown = require(`${name}/package.json`);
  return String(Reflect.get(found as object, "version"));
}
