// What each call costs as a namespace grows, beside the targets for a million files. One table for each size, on a private server.
//
//   pnpm exec tsc -b packages/postgres tools/test-servers && node packages/postgres/bench/scale.mjs 100 1000 10000 100000 1000000 [--trigram]
//
// The files are made on the server. A million take one to three minutes, and their trigram index as many again.
import { fork } from "node:child_process";
import { once } from "node:events";
import { cpus, loadavg } from "node:os";
import { PostgresBackend } from "@fs/postgres";
import { startPostgres } from "@fs/test-servers";
import pg from "pg";
import { batchOf, COMMON, fill, NONE, RARE } from "./scale-corpus.mjs";

const sizes = process.argv.slice(2).map(Number).filter(Number.isFinite);
const withTrigram = process.argv.includes("--trigram");
const server = await startPostgres();
const pool = new pg.Pool({ connectionString: server.info.url, max: 50, options: "-c jit=off" });
const rows = new Map();
const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(", ");

console.log(`${cpus().length} cores, load before ${load()}`);
try {
  for (const size of sizes) await measure(size);
} finally {
  print();
  await pool.end();
  await server.stop();
}

async function measure(size) {
  const table = `scale_${size}`;
  const options = { table, namespace: "big" };
  const backend = new PostgresBackend({ client: pool, ...options });
  await backend.setup();
  const start = performance.now();
  await fill(pool, table, "big", size);
  console.log(`${size} files made in ${seconds(start)}; load ${load()}`);

  const row = async (name, target, call) => {
    const times = [];
    const until = performance.now() + 1500;
    await timed(call);
    for (let round = 0; round < 3 || (round < 200 && performance.now() < until); round++)
      times.push(await timed(call));
    keep(name, target, size, at(times, 0.5));
  };
  const count = (expected) => (answer) => {
    if (answer.files.length !== expected) throw new Error(`${answer.files.length} files`);
  };
  const hits = (answer, expected) => {
    if (answer.matches.length !== expected) throw new Error(`${answer.matches.length} matches`);
  };
  let n = 0;
  const last = String(Math.ceil(size / 1000) - 1).padStart(4, "0");
  const children = Math.min(size, 1000);

  await row("read", undefined, () => backend.read("/d0000/f0011.ts"));
  await row("write a new file", undefined, () => backend.write(`/new/${n++}`, "x".repeat(1000)));
  await row("edit", undefined, () => backend.edit("/d0000/f0012.ts", "edit me", "edit me"));
  await row("`read` of a directory", undefined, async () => {
    const { code } = await backend.read("/flat");
    if (code !== "is_directory") throw new Error(code);
    return {};
  });
  await row("`ls` of 1,000 files (100 below 1,000)", 20, async () =>
    backend.ls(`/d${last}`).then((answer) => (count(children)(answer), answer)),
  );
  await row("`ls /`, a directory for each 1,000", 20, () => backend.ls("/"));
  await row("`ls` of n/10 files", undefined, async () =>
    backend.ls("/flat").then((answer) => (count(Math.floor(size / 10))(answer), answer)),
  );
  await row("`glob *.md` in one directory", undefined, () => backend.glob("*.md", `/d${last}`));
  await row("`glob **/f0050.md`, one for each 1,000", 10, () => backend.glob("**/f0050.md"));
  await row("`glob **/*.none`, none", 10, () => backend.glob("**/*.none"));
  await row("`glob **/*.md`, a tenth", 500, async () =>
    backend.glob("**/*.md").then((answer) => (count(size / 10)(answer), answer)),
  );
  await row("`grep`, none", undefined, () => backend.grep(NONE));
  await row("`grep` with `*.none`", "as `glob **/*.none`", () => backend.grep(RARE, "/", "*.none"));
  await row("`grep`, common, at most 1,000", 20, () => backend.grep(COMMON, "/", null, 1000));
  await row("`grep` of one directory, none", undefined, () => backend.grep(NONE, `/d${last}`));
  await row("upload of 1,000", undefined, async () => {
    const answers = await backend.uploadFiles(batchOf(1000, `/up/${n++}`));
    return answers.find(({ error }) => error !== null) ?? {};
  });
  await row("move of a directory of 1,000", undefined, () =>
    backend
      .move(`/d${last}`, `/m${n}`)
      .then((answer) => (answer.error ? answer : backend.move(`/m${n}`, `/d${last}`))),
  );
  await beside(size, "elsewhere", "/w", 50, options);
  await beside(size, "in the same directory", "/bulk", undefined, options);
  if (!withTrigram) return;
  const built = performance.now();
  await backend.setup({ trigram: true });
  console.log(`trigram index of ${size} files in ${seconds(built)}; load ${load()}`);
  await row("trigram: `grep`, none", 50, () => backend.grep(NONE));
  await row("trigram: `grep`, rare", 50, async () => {
    const answer = await backend.grep(RARE);
    if (size >= 1000) hits(answer, Math.min(size / 1000, 10));
    return answer;
  });
  await row("trigram: `grep`, rare, at most 5", 20, () => backend.grep(RARE, "/", null, 5));
  await row("trigram: `grep`, common, at most 1,000", 20, () =>
    backend.grep(COMMON, "/", null, 1000),
  );
}

/** Writes of new files while another client uploads 10,000 at a time. */
async function beside(size, where, directory, target, options) {
  const uploader = fork(new URL("scale-uploader.mjs", import.meta.url), [
    JSON.stringify({
      options: { url: server.info.url, ...options },
      directory: "/bulk",
      count: 10_000,
    }),
  ]);
  await once(uploader, "message");
  const backend = new PostgresBackend({ client: pool, ...options });
  // At a fixed rate: a writer that waits for each answer would hardly ever meet an upload.
  const writes = [];
  for (let n = 0; n < 400; n++) {
    writes.push(timed(() => backend.write(`${directory}/w${n}`, "x".repeat(1000))));
    await new Promise((done) => setTimeout(done, 20));
  }
  const times = await Promise.all(writes);
  const stopped = once(uploader, "message");
  uploader.send("stop");
  const [uploads] = await stopped;
  keep(`write ${where} beside an upload of 10,000, p50`, undefined, size, at(times, 0.5));
  keep(`write ${where} beside an upload of 10,000, p95`, target, size, at(times, 0.95));
  keep(`that upload`, undefined, size, at(uploads, 0.5));
  // What follows is about the files of this size alone.
  await pool.query(`delete from ${options.table} where path like '/bulk/%' or path like '/w/%'`);
  await pool.query(`vacuum analyze ${options.table}`);
}

async function timed(call) {
  const start = performance.now();
  const answer = await call();
  const time = performance.now() - start;
  if (answer?.error) throw new Error(answer.error);
  return time;
}

function at(times, share) {
  return times.toSorted((a, b) => a - b)[
    Math.min(times.length - 1, Math.floor(times.length * share))
  ];
}

function keep(name, target, size, time) {
  const row = rows.get(name) ?? { target, times: new Map() };
  row.times.set(size, time);
  rows.set(name, row);
  console.error(`${size}\t${name}\t${ms(time)}`);
}

function print() {
  console.log(`\nload after ${load()}\n`);
  console.log(
    `| milliseconds | ${sizes.map((size) => size.toLocaleString("en")).join(" | ")} | target |`,
  );
  console.log(`|---|${sizes.map(() => "---").join("|")}|---|`);
  for (const [name, { target, times }] of rows) {
    const cells = sizes.map((size) => ms(times.get(size)));
    console.log(`| ${name} | ${cells.join(" | ")} | ${target ?? ""} |`);
  }
}

function ms(value) {
  if (value === undefined) return "";
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : String(Math.round(value));
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
