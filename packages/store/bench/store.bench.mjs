/**
 * Calls and times of file work in a store, beside `deepagents`' backend in the same process. In memory, or on the
 * PostgreSQL of `FS_TEST_POSTGRES_URL`. Run after a build: `node packages/store/bench/store.bench.mjs`.
 */
import { StoreBackend } from "@fs/store";
import { InMemoryStore } from "@langchain/langgraph";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { StoreBackend as PeerBackend } from "deepagents";

const SIZES = [100, 1_000, 10_000];
const TEXT = "lorem ipsum dolor sit amet, consectetur\n".repeat(103).slice(0, 4096);
const url = process.env["FS_TEST_POSTGRES_URL"];

/** Counts the calls that reach the store. */
function counting(store) {
  const count = { calls: 0 };
  // A store's methods may go through its own `batch`.
  let nested = false;
  for (const method of ["get", "put", "search", "delete", "batch"]) {
    const inner = store[method].bind(store);
    store[method] = async (...parameters) => {
      if (!nested) count.calls++;
      nested = true;
      try {
        return await inner(...parameters);
      } finally {
        nested = false;
      }
    };
  }
  return count;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

const store = url === undefined ? new InMemoryStore() : PostgresStore.fromConnString(url);
await store.setup?.();
const count = counting(store);

for (const size of SIZES) {
  const namespace = ["bench", `n${size}x${Date.now()}`];
  const sides = {
    ours: new StoreBackend({ store, namespace }),
    theirs: new PeerBackend({ store, namespace }),
  };
  const bytes = new TextEncoder().encode(TEXT);
  await sides.ours.uploadFiles(
    Array.from({ length: size }, (_, n) => [`/d${n % 100}/f${n}.md`, bytes]),
  );
  let round = 0;
  const operations = {
    "ls of one directory": (side) => side.ls("/d1"),
    "grep, none": (side) => side.grep("absent from all"),
    glob: (side) => side.glob("**/*1.md"),
    read: (side) => side.read("/d1/f1.md"),
    write: (side) => side.write(`/new/${++round}.md`, TEXT),
    edit: (side) => side.edit("/d1/f1.md", "lorem", "lorem", true),
    "download of 100": (side) =>
      side.downloadFiles(Array.from({ length: 100 }, (_, n) => `/d${n}/f${n}.md`)),
  };
  console.log(
    `\n${size} files of 4 KB`.padEnd(28),
    "@fs/store".padStart(20),
    "deepagents".padStart(20),
    "ratio".padStart(7),
  );
  for (const [name, operation] of Object.entries(operations)) {
    const times = { ours: [], theirs: [] };
    const calls = { ours: 0, theirs: 0 };
    for (let n = 0; n < 7; n++)
      for (const side of ["ours", "theirs"]) {
        count.calls = 0;
        const from = performance.now();
        await operation(sides[side]);
        times[side].push(performance.now() - from);
        calls[side] = count.calls;
      }
    const [ours, theirs] = [median(times.ours), median(times.theirs)];
    console.log(
      name.padEnd(27),
      `${ours.toFixed(2)} ms, ${calls.ours} calls`.padStart(20),
      `${theirs.toFixed(2)} ms, ${calls.theirs} calls`.padStart(20),
      (theirs / ours).toFixed(1).padStart(7),
    );
  }
}
await store.stop?.();
