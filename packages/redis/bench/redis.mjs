// Compares the Redis backend with bare commands and with fetching everything, in one run on a private server.
//
//   node packages/redis/bench/redis.mjs [files, default 10000]
//
// Needs `redis-server` on PATH and a build (`tsc -b`). Prints Markdown: ratios to the first column, medians of interleaved
// rounds, and what each script takes of the server's CPU.
import { startRedis } from "@fs/test-servers";
import { Redis } from "ioredis";
import { RedisBackend } from "../dist/index.js";
import { RedisStore } from "../dist/store.js";

const FILES = Number(process.argv[2] ?? 10_000);
const ROUNDS = 9;
let corpusBytes = 0;

// A private one, whatever the environment names.
const server = await startRedis({ config: {} });
const client = new Redis(server.info.url);
try {
  await run();
} finally {
  client.disconnect();
  await server.stop();
}

async function run() {
  const files = new RedisBackend({ client, namespace: "bench", writeMode: "overwrite" });
  const generic = files.withoutHooks();
  const before = await memory();
  const paths = await fill(files);
  const bytes = await memory();
  await files.write("/big/4m", `${"x".repeat(79)}\n`.repeat(50_000));
  const HASH = "fs:{bench}:files";
  console.log(
    `${FILES} files, ${megabytes(corpusBytes)} of content, ${megabytes(bytes - before)} of memory: ` +
      `${Math.round((bytes - before - corpusBytes) / FILES)} bytes more than its content for each file.\n`,
  );

  const one = paths[4321 % paths.length];
  let turn = 0;
  await table("One file", {
    "read 4 KB": {
      "HMGET of the same bytes": () => client.hmgetBuffer(HASH, `c${one}`, `m${one}`),
      PING: () => client.ping(),
      backend: () => files.read(one),
      readRaw: () => files.readRaw(one),
    },
    "edit 4 KB": {
      "backend, one script": () => files.edit(one, "needle-0", "needle-0"),
      PING: () => client.ping(),
      "get, change, compare and put": () => generic.edit(one, "needle-0", "needle-0"),
      "WATCH, HGET, MULTI": () => watchEdit(HASH, `c${one}`, "needle-0"),
    },
    "create 4 KB": {
      "SET NX of the same bytes": () => client.set(`raw:${++turn}`, content(8), "NX"),
      backend: () => files.write(`/new/${++turn}`, content(8)),
    },
    "page of 100 lines of 4 MB": {
      "backend, lines 0 to 100": () => files.read("/big/4m", 0, 100),
      "whole file, cut here": () => generic.read("/big/4m", 0, 100),
      "backend, lines 19,000 to 19,100": () => files.read("/big/4m", 19_000, 100),
    },
  });
  // The same ones in every run of 600 files and more; the last ones of fewer.
  const hundred = paths.slice(0, 600).slice(-100);
  const directoryOf = (path) => path.slice(0, path.lastIndexOf("/"));
  await table("Many files", {
    "ls of 100": {
      backend: () => files.ls(directoryOf(one)),
      "every path, cut here": () => everyPath(HASH, directoryOf(one)),
    },
    "download 100": {
      "HMGET of the same": () => client.hmgetBuffer(HASH, ...hundred.map((path) => `c${path}`)),
      backend: () => files.downloadFiles(hundred),
      "one read after another": async () => {
        for (const path of hundred) await files.readRaw(path);
      },
    },
    "upload 100": {
      backend: () => files.uploadFiles(hundred.map((path) => [path, Buffer.from(content(3))])),
      "one write after another": async () => {
        for (const path of hundred) await files.write(path, content(3));
      },
    },
    "glob **/*.ts": {
      backend: () => files.glob("**/*.ts"),
    },
  });
  const searches = {
    "grep, no file": grepSides(files, generic, HASH, paths, "nowhere-to-be-found"),
    "grep, 1 file in 1000": grepSides(files, generic, HASH, paths, "rare-word"),
    "grep, every file": grepSides(files, generic, HASH, paths, "common-word"),
    "grep, every file, cap 100": {
      backend: () => files.grep("common-word", "/", null, 100),
      "four primitives, 16 at once": () => generic.grep("common-word", "/", null, 100),
      "everything, searched here": () => fetchAll(HASH, paths, "common-word"),
    },
  };
  await table("Search, with what the server sends", searches, true);

  const store = new RedisStore({ client });
  const items = Array.from({ length: FILES }, (_, i) => ({
    namespace: ["files"],
    key: `${i}`,
    value: { dir: `/d${i % 100}`, content: content(i) },
  }));
  await store.batch(items);
  await table("RedisStore", {
    [`search of ${FILES}, filter by a field`]: {
      RedisStore: () => store.search(["files"], { filter: { dir: "/d7" }, limit: 1e6 }),
      "everything, filtered here": async () =>
        (await store.search(["files"], { limit: 1e6 })).filter((i) => i.value.dir === "/d7"),
    },
    get: {
      PING: () => client.ping(),
      RedisStore: () => store.get(["files"], "77"),
    },
  });
  await longest(files, store);
}

function grepSides(files, generic, hash, paths, word) {
  return {
    backend: () => files.grep(word),
    "four primitives, 16 at once": () => generic.grep(word),
    "everything, searched here": () => fetchAll(hash, paths, word),
  };
}

/** What one script of each kind takes of the server's time at most: its main thread's CPU, so that other load is not counted. */
async function longest(files, store) {
  const mib = 1024 * 1024;
  const upload = (folder, count, size) =>
    files.uploadFiles(
      Array.from({ length: count }, (_, i) => [
        `${folder}/d${i % 50}/${i}`,
        Buffer.alloc(size, "x"),
      ]),
    );
  const cases = {
    "write of 4 MiB": { task: () => files.write("/large", "x".repeat(4 * mib)) },
    "move of 4 MiB": {
      before: () => files.write("/large", "x".repeat(4 * mib)),
      task: () => files.move("/large", "/larger", { overwrite: true }),
    },
    "page of 4 MiB, at its beginning": { task: () => files.read("/big/4m", 0, 100) },
    "page of 4 MiB, 19,000 lines down": { task: () => files.read("/big/4m", 19_000, 100) },
    "edit of 1 MiB, the worst text": {
      before: () => files.write("/edit", `${"a".repeat(mib - 8)}b`),
      task: () => files.edit("/edit", `${"a".repeat(63)}b`, "c"),
    },
    "edit of 9,999 places": {
      before: () => files.write("/edit", "ab".repeat(9999)),
      task: () => files.edit("/edit", "a", "cc", true),
    },
    "grep, a slice of the files above": { task: () => files.grep("common-word", "/src") },
    "grep of 4 MiB, nothing found": { task: () => files.grep("nothing", "/big") },
    "grep of 4 MiB, the worst text for 16 bytes": {
      before: () => files.write("/worst/a", "a".repeat(4 * mib)),
      task: () => files.grep(`${"a".repeat(15)}b`, "/worst"),
    },
    "grep of 4 MiB, the worst text for 1 KiB": {
      task: () => files.grep(`${"a".repeat(1023)}b`, "/worst"),
    },
    "listing, a slice of 500": { task: () => files.glob("**", "/src") },
    "move of a tree, 500 files and 4 MiB at most": {
      before: async () => {
        await files.delete("/v");
        await upload("/u", 440, 9000);
      },
      task: () => files.move("/u", "/v/u"),
    },
    "delete of a tree, a slice of 500": {
      before: () => upload("/t", 1000, 4000),
      task: () => files.delete("/t"),
    },
    "RedisStore, search with a filter": {
      task: () => store.search(["files"], { filter: { dir: "/d7" }, limit: 1e6 }),
    },
    "RedisStore, batch of 128 puts": {
      task: () =>
        store.batch(
          Array.from({ length: 128 }, (_, i) => ({
            namespace: ["p"],
            key: `${i}`,
            value: { text: content(i) },
          })),
        ),
    },
  };
  console.log(
    "\n### What one script takes of the server\n\n| | scripts | CPU of each |\n|---|---|---|",
  );
  for (const [what, { before, task }] of Object.entries(cases)) {
    let best = Infinity;
    let calls = 0;
    for (let round = 0; round < 7; round++) {
      await before?.();
      await client.config("RESETSTAT");
      const started = await serverCpu();
      await task();
      const used = (await serverCpu()) - started;
      const stats = await client.info("commandstats");
      calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 1);
      best = Math.min(best, used / calls);
    }
    console.log(`| ${what} | ${calls} | ${format(best)} |`);
  }
}

/** Milliseconds of CPU that the server's main thread has used. */
async function serverCpu() {
  const info = await client.info("cpu");
  const seconds = (name) => Number(new RegExp(`${name}_main_thread:([\\d.]+)`).exec(info)[1]);
  return 1000 * (seconds("used_cpu_user") + seconds("used_cpu_sys"));
}

async function table(title, cases, showBytes = false) {
  console.log(`\n### ${title}\n\n| | |\n|---|---|`);
  for (const [what, sides] of Object.entries(cases)) {
    const result = await compare(sides);
    if (showBytes)
      for (const [name, side] of Object.entries(sides)) result[name].sent = await sent(side);
    const cells = Object.entries(result).map(
      ([name, { ms, ratio, sent: size }], i) =>
        `${name} ${format(ms)}${i === 0 ? "" : ` (x${ratio.toFixed(2)})`}${size === undefined ? "" : `, ${megabytes(size)}`}`,
    );
    console.log(`| ${what} | ${cells.join("; ")} |`);
  }
}

async function compare(sides) {
  const times = new Map(Object.keys(sides).map((name) => [name, []]));
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, side] of Object.entries(sides)) {
      // A short call is repeated, so that a round is not one tick of the machine.
      let repeat = 0;
      const started = performance.now();
      do {
        const answer = await side();
        if (answer?.error) throw new Error(`${name}: ${answer.error}`);
        repeat++;
      } while (performance.now() - started < 15 && repeat < 200);
      if (round >= 0) times.get(name).push((performance.now() - started) / repeat);
    }
  }
  const [reference] = times.values();
  return Object.fromEntries(
    [...times].map(([name, own]) => [
      name,
      { ms: median(own), ratio: median(own.map((time, round) => time / reference[round])) },
    ]),
  );
}

async function fill(files) {
  const paths = [];
  let batch = [];
  for (let i = 0; i < FILES; i++) {
    const path = `/src/p${i % 10}/d${Math.floor(i / 10) % Math.ceil(FILES / 1000)}/file-${i}.${i % 3 === 0 ? "ts" : "md"}`;
    const bytes = Buffer.from(content(i));
    corpusBytes += bytes.length;
    paths.push(path);
    batch.push([path, bytes]);
    if (batch.length === 256 || i === FILES - 1) {
      for (const { error } of await files.uploadFiles(batch)) if (error) throw new Error(error);
      batch = [];
    }
  }
  return paths;
}

function content(i) {
  const lines = ['export const needle = "needle-0";'];
  if (i % 1000 === 7) lines.push("// here is the rare-word");
  for (let n = 0; n < 60; n++)
    lines.push(`line ${n} of file ${i}: some text to look through, nothing else`);
  lines.splice(30, 0, "// one common-word in the middle");
  return `${lines.join("\n")}\n`;
}

async function everyPath(hash, folder) {
  const fields = await client.hkeys(hash);
  return fields.filter((field) => field.startsWith(`m${folder}/`));
}

async function fetchAll(hash, paths, word) {
  const found = [];
  const slices = [];
  for (let from = 0; from < paths.length; from += 100) slices.push(paths.slice(from, from + 100));
  const fetch = (slice) => client.hmgetBuffer(hash, ...slice.map((path) => `c${path}`));
  // Two requests under way, so that the network and this process work at the same time.
  let next = fetch(slices[0]);
  for (const [i, slice] of slices.entries()) {
    const values = await next;
    if (i + 1 < slices.length) next = fetch(slices[i + 1]);
    for (const [n, value] of values.entries()) {
      const text = value.toString();
      if (!text.includes(word)) continue;
      for (const [line, line_] of text.split("\n").entries())
        if (line_.includes(word)) found.push({ path: slice[n], line: line + 1, text: line_ });
    }
  }
  return found;
}

async function watchEdit(hash, field, word) {
  const key = "raw:watched";
  await client.watch(key);
  const text = (await client.hgetBuffer(hash, field)).toString();
  return client
    .multi()
    .set(
      key,
      text.replace(word, () => word),
    )
    .exec();
}

/** Bytes that the server sends for a task. */
async function sent(task) {
  const read = async () =>
    Number(/total_net_output_bytes:(\d+)/.exec(await client.info("stats"))[1]);
  const before = await read();
  await task();
  return (await read()) - before;
}

async function memory() {
  return Number(/used_memory:(\d+)/.exec(await client.info("memory"))[1]);
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function format(ms) {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 10) return `${ms.toFixed(0)} ms`;
  return ms >= 0.1 ? `${ms.toFixed(2)} ms` : `${(ms * 1000).toFixed(0)} µs`;
}
