// Measures PostgresBackend beside the bare statement that does the least possible, and beside the store backend of
// `deepagents` on its PostgresStore, interleaved in one process: trust the ratios, not the times.
//
//   pnpm exec tsc -b packages/postgres tools/test-servers && node packages/postgres/bench/bench.mjs [files] [rounds] [--without-peer]
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { PostgresBackend } from "@fs/postgres";
import { startPostgres } from "@fs/test-servers";
import pg from "pg";
import { corpus, RARE, COMMON, NONE } from "./corpus.mjs";
import { compare, printRow } from "./measure.mjs";

const count = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 9);
// At 100,000 files a listing of the peer takes many minutes: a thousand pages, each found by skipping those before it.
const withPeer = !process.argv.includes("--without-peer");
const peerLists = count <= 20_000;
const peerRounds = 3;

// The peer is a development dependency of the store backend, not of this one.
const fromStore = createRequire(new URL("../../store/package.json", import.meta.url));
const load = (name) => import(pathToFileURL(fromStore.resolve(name)).href);
const { StoreBackend } = await load("deepagents");
const { PostgresStore } = await load("@langchain/langgraph-checkpoint-postgres/store");

const server = await startPostgres();
const pool = new pg.Pool({ connectionString: server.info.url, max: 4 });
const store = PostgresStore.fromConnString(server.info.url);
try {
  await run();
} finally {
  await store.stop?.();
  await store.end?.();
  await pool.end();
  await server.stop();
}

async function run() {
  const backend = new PostgresBackend({ client: pool, namespace: "bench" });
  await backend.setup();
  await store.setup();
  const peer = new StoreBackend({ store, namespace: ["bench"] });

  const uploadStart = performance.now();
  for (const batch of corpus(count)) {
    const refused = (await backend.uploadFiles(batch)).find(({ error }) => error !== null);
    if (refused !== undefined) throw new Error(refused.error);
  }
  console.log(`${count} files stored in ${Math.round(performance.now() - uploadStart)} ms`);
  await fillPeer(peer);
  await pool.query("vacuum analyze fs_files");

  const raw =
    (name, text, ...values) =>
    () =>
      pool.query({ name, text, values: ["bench", ...values] });
  const file = "/d5/s3/f513.ts";
  const some = "/d5/s3";
  const batch = () =>
    Array.from({ length: 1000 }, (_, n) => [`/up/f${n}.txt`, Buffer.from("x".repeat(3000))]);
  let round = 0;

  console.log(
    "| operation | ms | bare statement, ms | ratio to it | store backend of deepagents, ms | times faster |",
  );
  console.log("|---|---|---|---|---|---|");
  const row = async (name, ours, bare, theirs) =>
    printRow(
      name,
      await compare({ ours, bare, theirs: withPeer ? theirs : undefined, rounds, peerRounds }),
    );

  await row(
    "read a file of 3 KB",
    () => backend.read(file),
    raw("read", "select content from fs_files where namespace = $1 and path = $2", file),
    () => peer.read(file),
  );
  await row(
    "the same, to `select 1`",
    () => backend.read(file),
    () => pool.query({ name: "one", text: "select 1" }),
  );
  await row(
    "edit it",
    () => backend.edit(file, "edit me", "edit me"),
    raw(
      "edit",
      "update fs_files set content = replace(content, $3, $3) where namespace = $1 and path = $2",
      file,
      "edit me",
    ),
    () => peer.edit(file, "edit me", "edit me"),
  );
  await row(
    "create",
    () => backend.write(`/new/${round++}`, "x".repeat(3000)),
    () =>
      pool.query({
        name: "create",
        text: "insert into fs_files (namespace, path, content, mime_type) values ($1, $2, $3, 'text/plain') on conflict do nothing",
        values: ["bench", `/new/${round++}`, "x".repeat(3000)],
      }),
    () => peer.write(`/new/${round++}`, "x".repeat(3000)),
  );
  await row(
    "`ls` of 10 files",
    () => backend.ls(some),
    raw(
      "ls",
      "select path, size, modified_at from fs_files where namespace = $1 and path >= $2 and path < $3",
      `${some}/`,
      `${some}0`,
    ),
    peerLists ? () => peer.ls(some) : undefined,
  );
  await row(
    `\`ls /\`: ${count / 100} directories`,
    () => backend.ls("/"),
    raw("root", "select distinct split_part(path, '/', 2) from fs_files where namespace = $1"),
    peerLists ? () => peer.ls("/") : undefined,
  );
  await row(
    "`glob **/*.md`, a third of the files",
    () => backend.glob("**/*.md"),
    raw(
      "glob",
      "select path, size, modified_at from fs_files where namespace = $1 and path like '%.md'",
    ),
    peerLists ? () => peer.glob("**/*.md") : undefined,
  );
  await searches(
    "without an index",
    (column) => `strpos(${column}, $2) > 0`,
    (word) => word,
  );
  await row(
    "upload 1,000 files of 3 KB",
    () => backend.uploadFiles(batch()),
    () =>
      pool.query({
        name: "upload",
        text: `insert into fs_files (namespace, path, content, mime_type)
          select $1, f.path, f.content, 'text/plain' from unnest($2::text[], $3::text[]) as f(path, content)
          on conflict (namespace, path) do update set content = excluded.content`,
        values: [
          "bench",
          batch().map(([path]) => path),
          batch().map(([, bytes]) => bytes.toString()),
        ],
      }),
    () => peer.uploadFiles(batch()),
  );
  const indexStart = performance.now();
  await backend.setup({ trigram: true });
  await pool.query("vacuum analyze fs_files");
  const { rows } = await pool.query(
    "select pg_size_pretty(pg_relation_size('fs_files_trigram')) as index, pg_size_pretty(pg_total_relation_size('fs_files')) as total",
  );
  await searches(
    "trigram",
    (column) => `${column} like $2`,
    (word) => `%${word}%`,
  );
  await row(
    "create, with the trigram index",
    () => backend.write(`/new/${round++}`, "x".repeat(3000)),
    undefined,
    undefined,
  );
  console.log(
    `\ntrigram index: ${rows[0].index} of ${rows[0].total}, built in ${Math.round((indexStart - performance.now()) / -1000)} s with its searches`,
  );

  async function searches(how, has, value) {
    const paths = `select path from fs_files where namespace = $1 and ${has("content")}`;
    const lines = `select path, l.line, l.text
      from fs_files, unnest(string_to_array(content, E'\\n')) with ordinality as l(text, line)
      where namespace = $1 and ${has("content")} and ${has("l.text")}`;
    for (const [what, word] of Object.entries({ none: NONE, rare: RARE, common: COMMON })) {
      await row(
        `\`grep\`, ${what}, ${how}`,
        () => backend.grep(word),
        raw(undefined, paths, value(word)),
        how === "trigram" || !peerLists ? undefined : () => peer.grep(word),
      );
      await row(
        "the same, to the statement that gives the lines too",
        () => backend.grep(word),
        raw(undefined, lines, value(word)),
      );
    }
    await row(
      `\`grep\`, common, at most 1,000, ${how}, to the same without a cap`,
      () => backend.grep(COMMON, "/", null, 1000),
      () => backend.grep(COMMON),
    );
  }
}

/** One file through the peer itself, and all others in the shape of that one. */
async function fillPeer(peer) {
  await peer.write("/probe", "x");
  const { rows } = await pool.query("select * from store where key = '/probe'");
  if (rows.length !== 1) throw new Error("the peer keeps its files elsewhere");
  await pool.query(
    `insert into store (namespace_path, key, value, created_at, updated_at)
      select s.namespace_path, f.path,
        s.value || jsonb_build_object('content',
          case jsonb_typeof(s.value->'content') when 'array' then to_jsonb(string_to_array(f.content, E'\\n')) else to_jsonb(f.content) end),
        s.created_at, s.updated_at
      from fs_files f, (select * from store where key = '/probe') s where f.namespace = 'bench'`,
  );
  await pool.query("vacuum analyze store");
  const check = await peer.read("/d5/s3/f513.ts");
  if (check.error !== undefined) throw new Error(check.error);
}
