// Compares the Redis backend with bare commands and with fetching everything, in one run on a private server.
//
//   node packages/redis/bench/redis.mjs [files, default 10000]
//
// Needs `redis-server` on PATH and a build (`tsc -b`). Prints Markdown: ratios to the first column, medians of interleaved
// rounds, and the longest time that any script held the server, from its own slow log.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { RedisBackend } from "../dist/index.js";
import { RedisStore } from "../dist/store.js";

const FILES = Number(process.argv[2] ?? 10_000);
const ROUNDS = 9;
let corpusBytes = 0;

const directory = mkdtempSync(join(tmpdir(), "fs-redis-bench-"));
const port = await freePort();
const server = spawn(
  "redis-server",
  ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", directory],
  { stdio: "ignore" },
);
const client = new Redis(port, "127.0.0.1");
// The server may need a moment; the client tries again.
client.on("error", () => undefined);
try {
  await client.ping();
  await run();
} finally {
  client.disconnect();
  server.kill("SIGKILL");
  await sleep(50);
  rmSync(directory, { recursive: true, force: true });
}

async function run() {
  const files = new RedisBackend({ client, namespace: "bench", writeMode: "overwrite" });
  const generic = files.withoutHooks();
  const before = await memory();
  const paths = await fill(files);
  const bytes = await memory();
  const HASH = "fs:{bench}:files";
  console.log(
    `${FILES} files, ${megabytes(corpusBytes)} of content, ${megabytes(bytes - before)} of memory: ` +
      `${Math.round((bytes - before - corpusBytes) / FILES)} bytes more than its content for each file.\n`,
  );

  const one = paths[4321 % paths.length];
  let turn = 0;
  await table("One file", {
    "read 4 KB": {
      "HGET of the same bytes": () => client.hgetBuffer(HASH, `c${one}`),
      PING: () => client.ping(),
      backend: () => files.read(one),
      readRaw: () => files.readRaw(one),
    },
    "edit 4 KB": {
      PING: () => client.ping(),
      "backend, one script": () => files.edit(one, "needle-0", "needle-0"),
      "get, change, compare and put": () => generic.edit(one, "needle-0", "needle-0"),
      "WATCH, HGET, MULTI": () => watchEdit(HASH, `c${one}`, "needle-0"),
    },
    "create 4 KB": {
      "SET NX of the same bytes": () => client.set(`raw:${++turn}`, content(7), "NX"),
      backend: () => files.write(`/new/${++turn}`, content(7)),
    },
    "page of 100 lines of 8 MB": {
      "backend, lines 0 to 100": () => files.read("/big/8m", 0, 100),
      "whole file, cut here": () => generic.read("/big/8m", 0, 100),
      "backend, lines 19,000 to 19,100": () => files.read("/big/8m", 19_000, 100),
    },
  });
  const hundred = paths.slice(500, 600);
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
    "grep, no file": grepSides(files, generic, HASH, paths, "nowhere-to-be-found"),
    "grep, 1 file in 1000": grepSides(files, generic, HASH, paths, "rare-word"),
    "grep, every file": grepSides(files, generic, HASH, paths, "common-word"),
    "grep, every file, cap 100": {
      backend: () => files.grep("common-word", "/", null, 100),
      "four primitives, 16 at once": () => generic.grep("common-word", "/", null, 100),
      "everything, searched here": () => fetchAll(HASH, paths, "common-word"),
    },
  });

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

/** What each script holds the server for at most, in its worst case that the backend lets happen. */
async function longest(files, store) {
  const mib = 1024 * 1024;
  const same = "a".repeat(mib - 8);
  const cases = {
    "grep, a slice of the files above": () => files.grep("common-word"),
    "grep, the worst text, 16 bytes": async () => {
      await files.write("/worst/a", "a".repeat(8 * mib - 8));
      await mark();
      await files.grep(`${"a".repeat(15)}b`, "/worst");
    },
    "grep, the worst text, 1 KiB": () => files.grep(`${"a".repeat(1023)}b`, "/worst"),
    "edit, the worst text, 1 MiB": async () => {
      await files.write("/edit", `${same}b`);
      await mark();
      await files.edit("/edit", `${"a".repeat(63)}b`, "c");
    },
    "edit of 10,000 places": async () => {
      await files.write("/edit", "ab".repeat(9999));
      await mark();
      await files.edit("/edit", "a", "cc", true);
    },
    "write of 8 MiB": async () => {
      await files.write("/large", "x".repeat(8 * mib));
    },
    "read of 8 MiB": () => files.readRaw("/large"),
    "page, 20,000 lines down": () => files.read("/big/8m", 19_900, 100),
    "move of 8 MiB": () => files.move("/large", "/larger"),
    "delete of 8 MiB": () => files.delete("/larger"),
    "ls, a slice of 500": async () => {
      await files.uploadFiles(
        Array.from({ length: 500 }, (_, i) => [`/t/d${i % 50}/e/${i}`, Buffer.alloc(8000, "x")]),
      );
      await mark();
      await files.glob("**", "/t");
    },
    "move of a tree, 500 entries and 4 MiB at most": async () => {
      await files.uploadFiles(
        Array.from({ length: 440 }, (_, i) => [`/u/d${i % 50}/${i}`, Buffer.alloc(9000, "x")]),
      );
      await mark();
      await files.move("/u", "/v/u");
    },
    "delete of a tree, a slice of 500": () => files.delete("/t"),
    "RedisStore, search with a filter": () =>
      store.search(["files"], { filter: { dir: "/d7" }, limit: 1e6 }),
    "RedisStore, batch of 128 puts": () =>
      store.batch(
        Array.from({ length: 128 }, (_, i) => ({
          namespace: ["p"],
          key: `${i}`,
          value: { text: content(i) },
        })),
      ),
  };
  console.log(
    "\n### The longest that one call holds the server\n\n| | longest script |\n|---|---|",
  );
  await client.config("SET", "slowlog-log-slower-than", "0");
  await client.config("SET", "slowlog-max-len", "5000");
  for (const [what, task] of Object.entries(cases)) {
    const worst = [];
    for (let round = 0; round < 3; round++) {
      await mark();
      await task();
      const log = await client.call("SLOWLOG", "GET", "5000");
      worst.push(
        Math.max(...log.filter((e) => !/config|slowlog/i.test(e[3][0])).map((e) => Number(e[2]))),
      );
    }
    console.log(`| ${what} | ${format(median(worst) / 1000)} |`);
  }
}

function mark() {
  return client.call("SLOWLOG", "RESET");
}

async function table(title, cases) {
  console.log(`\n### ${title}\n\n| | |\n|---|---|`);
  for (const [what, sides] of Object.entries(cases)) {
    const result = await compare(sides);
    const cells = Object.entries(result).map(
      ([name, { ms, ratio }], i) =>
        `${name} ${format(ms)}${i === 0 ? "" : ` (x${ratio.toFixed(2)})`}`,
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
  await files.write("/big/8m", `${"x".repeat(79)}\n`.repeat(100_000));
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

async function memory() {
  return Number(/used_memory:(\d+)/.exec(await client.info("memory"))[1]);
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
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
