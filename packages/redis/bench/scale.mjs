// What calls cost on a namespace of a million small files, on a private server.
//
//   node packages/redis/bench/scale.mjs [files, default 1000000]
//
// Needs `redis-server` on PATH, a build (`tsc -b`) and 0.6 GB. Prints Markdown: times, what the server sent, its CPU, and the
// longest script of each call by the server's own SLOWLOG.
import { startRedis } from "@fs/test-servers";
import { Redis } from "ioredis";
import { RedisBackend } from "../dist/index.js";

const FILES = Number(process.argv[2] ?? 1_000_000);
const IN_DIRECTORY = 1000;
const BATCH = 5000;
const CONTENT = 200;

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
  const files = new RedisBackend({ client, namespace: "scale" });
  const before = await numberOf("memory", "used_memory");
  const start = performance.now();
  for (let from = 0; from < FILES; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, FILES - from) }, (_, n) => [
      pathOf(from + n),
      Buffer.from(contentOf(from + n)),
    ]);
    for (const { error } of await files.uploadFiles(batch)) if (error !== null) throw error;
  }
  const seconds = (performance.now() - start) / 1000;
  const bytes = (await numberOf("memory", "used_memory")) - before;
  console.log(
    `${FILES} files of ${CONTENT} bytes in directories of ${IN_DIRECTORY}: ${(bytes / 1e6).toFixed(0)} MB, ` +
      `${Math.round(bytes / FILES - CONTENT)} bytes a file above its content; uploaded in ${seconds.toFixed(0)} s.\n`,
  );
  // Every command, however short.
  await client.config("SET", "slowlog-log-slower-than", "0");
  await client.config("SET", "slowlog-max-len", "100000");
  console.log("| call | answers | ms | server CPU, ms | MB sent | longest script, ms |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  const middle = directoryOf(FILES / 2);
  await row("ls /", () => files.ls("/"), "files");
  await row(`ls ${middle}`, () => files.ls(middle), "files");
  await row(`glob ${middle}/*.md`, () => files.glob(`${middle}/*.md`), "files");
  await row("glob **/*.xyz, none", () => files.glob("**/*.xyz"), "files");
  await row("glob **/f500.md, one a directory", () => files.glob("**/f500.md"), "files");
  await row("glob **/*.md, a tenth", () => files.glob("**/*.md"), "files");
  await row("grep, no file", () => files.grep("nowhere-to-be-found"), "matches");
  await row("grep, one file in 10,000", () => files.grep("rare-word"), "matches");
  await row(
    "grep, every file, cap 1,000",
    () => files.grep("common-word", "/", null, 1000),
    "matches",
  );
  await row(`grep in ${middle}`, () => files.grep("rare-word", middle), "matches");
  await row("read", () => files.read(pathOf(FILES / 2)));
  await row("edit", () => files.edit(pathOf(FILES / 2), "common-word", "common-word "));
  await row(`move of ${middle}`, () => files.move(middle, "/moved"));
  await row("delete of it", () => files.delete("/moved"));
}

async function row(name, call, key) {
  const sent = await numberOf("stats", "total_net_output_bytes");
  const cpu = await cpuSeconds();
  await client.call("SLOWLOG", "RESET");
  const start = performance.now();
  const result = await call();
  const ms = performance.now() - start;
  if (result.error !== undefined) throw new Error(result.error);
  const spent = (await cpuSeconds()) - cpu;
  const bytes = (await numberOf("stats", "total_net_output_bytes")) - sent;
  const log = await client.call("SLOWLOG", "GET", "100000");
  const longest = Math.max(
    0,
    ...log.filter(([, , , [command]]) => /^eval/i.test(command)).map(([, , micros]) => micros),
  );
  const cells = [
    name,
    key === undefined ? "" : result[key].length.toLocaleString("en"),
    ms.toFixed(ms < 10 ? 1 : 0),
    (spent * 1000).toFixed(0),
    (bytes / 1e6).toFixed(2),
    (longest / 1000).toFixed(1),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

function directoryOf(n) {
  return `/d${String(Math.floor(n / IN_DIRECTORY)).padStart(4, "0")}`;
}

function pathOf(n) {
  return `${directoryOf(n)}/f${n % IN_DIRECTORY}.${n % 10 === 0 ? "md" : "txt"}`;
}

function contentOf(n) {
  const words = n % 10_000 === 5000 ? "common-word rare-word" : "common-word";
  return `${words} ${n}\n`.padEnd(CONTENT - 1, "lorem ipsum ").slice(0, CONTENT - 1) + "\n";
}

async function numberOf(section, field) {
  const info = await client.info(section);
  return Number(new RegExp(`^${field}:([\\d.]+)`, "m").exec(info)?.[1]);
}

async function cpuSeconds() {
  return (
    (await numberOf("cpu", "used_cpu_user_main_thread")) +
    (await numberOf("cpu", "used_cpu_sys_main_thread"))
  );
}
