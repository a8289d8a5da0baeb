/**
 * Calls, items and times of file work in a store, beside `deepagents`' backend in the same process, on InMemoryStore or, with
 * `--postgres`, on PostgresStore over a private server. Run after a build of this package and of tools/test-servers:
 * `node packages/store/bench/store.bench.mjs [--postgres]`.
 */
import { StoreBackend } from "@fs/store";
import { startPostgres } from "@fs/test-servers";
import { InMemoryStore } from "@langchain/langgraph";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { StoreBackend as PeerBackend } from "deepagents";

const SIZES = [100, 1_000, 10_000];
const ROUNDS = 7;
const TEXT = "lorem ipsum dolor sit amet, consectetur\n".repeat(103).slice(0, 4096);

/** Counts the calls that reach the store, and the items that come back. */
function counting(store) {
  const count = { calls: 0, items: 0 };
  // A store's methods may go through its own `batch`.
  let nested = false;
  for (const method of ["get", "put", "search", "delete", "batch"]) {
    const inner = store[method].bind(store);
    store[method] = async (...parameters) => {
      if (nested) return inner(...parameters);
      count.calls++;
      nested = true;
      try {
        const result = await inner(...parameters);
        count.items += [result].flat(2).filter((item) => item?.value !== undefined).length;
        return result;
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

const server = process.argv.includes("--postgres") ? await startPostgres() : undefined;
const store =
  server === undefined ? new InMemoryStore() : PostgresStore.fromConnString(server.info.url);
await store.setup?.();
const count = counting(store);

async function fill(namespace, size) {
  const bytes = new TextEncoder().encode(TEXT);
  const ours = new StoreBackend({ store, namespace });
  await ours.uploadFiles(Array.from({ length: size }, (_, n) => [`/d${n % 100}/f${n}.md`, bytes]));
}

/** The same files as `deepagents` leaves them: without their place. */
async function fillAsPeer(namespace, size) {
  const now = new Date().toISOString();
  const value = { content: TEXT, mimeType: "text/plain", created_at: now, modified_at: now };
  await store.batch(
    Array.from({ length: size }, (_, n) => ({ namespace, key: `/d${n % 100}/f${n}.md`, value })),
  );
}

async function compare(title, namespace, operations) {
  const sides = {
    ours: new StoreBackend({ store, namespace }),
    theirs: new PeerBackend({ store, namespace }),
  };
  console.log(
    `\n${title}`.padEnd(36),
    "@fs/store".padStart(34),
    "deepagents".padStart(34),
    "ratio".padStart(7),
  );
  for (const [name, operation] of Object.entries(operations)) {
    const times = { ours: [], theirs: [] };
    const counts = {};
    for (let n = 0; n < ROUNDS; n++)
      for (const side of ["ours", "theirs"]) {
        Object.assign(count, { calls: 0, items: 0 });
        const from = performance.now();
        await operation(sides[side]);
        times[side].push(performance.now() - from);
        counts[side] = `${count.calls} calls, ${count.items} items`;
      }
    const ratio = median(times.ours.map((ms, n) => times.theirs[n] / ms));
    console.log(
      name.padEnd(35),
      `${median(times.ours).toFixed(2)} ms, ${counts.ours}`.padStart(34),
      `${median(times.theirs).toFixed(2)} ms, ${counts.theirs}`.padStart(34),
      ratio.toFixed(1).padStart(7),
    );
  }
}

let written = 0;
let edits = 0;
const listing = { "ls of one directory": (side) => side.ls("/d1") };
const operations = {
  ...listing,
  "ls of /": (side) => side.ls("/"),
  "grep below one directory": (side) => side.grep("absent from all", "/d1"),
  "grep of everything, no match": (side) => side.grep("absent from all"),
  "glob of everything": (side) => side.glob("**/*1.md"),
  read: (side) => side.read("/d1/f1.md"),
  write: (side) => side.write(`/new/${++written}.md`, TEXT),
  edit: (side) => {
    const words = ["lorem", "LOREM"];
    return side.edit("/d1/f1.md", words[edits % 2], words[++edits % 2], true);
  },
  "download of 100": (side) =>
    side.downloadFiles(Array.from({ length: 100 }, (_, n) => `/d${n}/f${n}.md`)),
};

for (const size of SIZES) {
  const own = ["bench", `own${size}`];
  edits = 0;
  await fill(own, size);
  await compare(`${size} files of 4 KB`, own, operations);
  const other = ["bench", `other${size}`];
  await fillAsPeer(other, size);
  await compare(`${size} of deepagents' own`, other, listing);
}
await store.stop?.();
await server?.stop();
