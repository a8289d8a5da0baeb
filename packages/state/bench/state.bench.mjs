/**
 * Checkpoint bytes and times of file work in graph state, beside `deepagents`' backend in the same process.
 *
 * Run after a build: `node packages/state/bench/state.bench.mjs`.
 */
import { StateBackend, filesValue } from "@fs/state";
import { MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { createFilesystemMiddleware, StateBackend as PeerBackend } from "deepagents";

const SIZES = [100, 1_000, 10_000];
const ROUNDS = 5;
const OPERATIONS = 10;
const TEXT = "lorem ipsum dolor sit amet, consectetur\n".repeat(103).slice(0, 4096);

/** Counts what a saver serialises. */
class CountingSaver extends MemorySaver {
  bytes = 0;

  constructor() {
    super();
    const { serde } = this;
    const dump = serde.dumpsTyped.bind(serde);
    serde.dumpsTyped = async (value) => {
      const dumped = await dump(value);
      this.bytes += dumped[1].length;
      return dumped;
    };
  }
}

function seed(count) {
  const times = { created_at: "2026-01-01T00:00:00.000Z", modified_at: "2026-01-01T00:00:00.000Z" };
  const files = {};
  for (let n = 0; n < count; n++) {
    const ending = n % 10 === 0 ? "needle\n" : "";
    files[`/d${n % 100}/f${n}.${n % 3 === 0 ? "ts" : "md"}`] = {
      content: `${n} ${TEXT}${ending}`,
      mimeType: "text/plain",
      ...times,
    };
  }
  return files;
}

async function timed(count, body, note) {
  const from = performance.now();
  for (let n = 0; n < count; n++) await body(n);
  note((performance.now() - from) / count);
}

let round = 0;

const work = async (backend, note) => {
  const at = ++round;
  await timed(
    1,
    () => backend.write(`/d1/first${at}.md`, TEXT),
    (ms) => note("first write", ms),
  );
  await timed(
    OPERATIONS,
    (n) => backend.write(`/d1/new${at}-${n}.md`, TEXT),
    (ms) => note("write", ms),
  );
  await timed(
    OPERATIONS,
    (n) => backend.edit(`/d1/new${at}-${n}.md`, "lorem", "LOREM", true),
    (ms) => note("edit", ms),
  );
};

const look = async (backend, note) => {
  await timed(
    1,
    () => backend.ls("/d1"),
    (ms) => note("first ls", ms),
  );
  await timed(
    OPERATIONS,
    () => backend.ls("/d1"),
    (ms) => note("ls", ms),
  );
  await timed(
    OPERATIONS,
    () => backend.read("/d1/f1.md"),
    (ms) => note("read", ms),
  );
  await timed(
    3,
    () => backend.grep("absent from all"),
    (ms) => note("grep, none", ms),
  );
  await timed(
    3,
    () => backend.grep("lorem", "/", null, 1000),
    (ms) => note("grep, 1000 of many", ms),
  );
  await timed(
    3,
    () => backend.glob("**/*.ts"),
    (ms) => note("glob", ms),
  );
};

const peerFields = createFilesystemMiddleware().stateSchema;

const sides = [
  { name: "@fs/state", backend: new StateBackend(), field: filesValue() },
  { name: "deepagents", backend: new PeerBackend(), field: peerFields.fields.files },
];

async function measure(side, count) {
  const saver = new CountingSaver();
  const results = new Map();
  const note = (name, value) => {
    results.set(name, [...(results.get(name) ?? []), value]);
  };
  let task = async () => undefined;
  const graph = new StateGraph(new StateSchema({ files: side.field }))
    .addNode("work", async () => {
      await task(side.backend, note);
      return {};
    })
    .addEdge(START, "work")
    .compile({ checkpointer: saver });
  const thread = { configurable: { thread_id: "1" } };
  const turn = async (next, input) => {
    task = next;
    saver.bytes = 0;
    const from = performance.now();
    await graph.invoke(input, thread);
    return { ms: performance.now() - from, bytes: saver.bytes };
  };
  await turn(async () => undefined, { files: seed(count) });
  for (let n = 0; n < ROUNDS; n++) {
    const one = await turn((backend) => backend.write(`/d1/one${n}.md`, TEXT), { files: {} });
    note("turn with one write of 4 KB, KB serialised", one.bytes / 1000);
    note("turn with one write of 4 KB, ms", one.ms);
    await turn(work, { files: {} });
    await turn(look, { files: {} });
  }
  return results;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

for (const count of SIZES) {
  const [ours, theirs] = [await measure(sides[0], count), await measure(sides[1], count)];
  console.log(
    `\n${count} files of 4 KB`.padEnd(50),
    "@fs/state".padStart(12),
    "deepagents".padStart(12),
    "ratio".padStart(8),
  );
  for (const [name, values] of ours) {
    const [mine, peer] = [median(values), median(theirs.get(name) ?? [])];
    const unit = name.startsWith("turn") ? ["", 1] : [", µs", 1000];
    console.log(
      `${name}${unit[0]}`.padEnd(49),
      (mine * unit[1]).toFixed(1).padStart(12),
      (peer * unit[1]).toFixed(1).padStart(12),
      (peer / mine).toFixed(1).padStart(8),
    );
  }
}
