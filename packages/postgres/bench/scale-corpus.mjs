/** In no file, in ten or in one of every thousand, and five times in every third. */
export const NONE = "nosuchword";
export const RARE = "rareneedle";
export const COMMON = "commonword";

const LINES = [
  "const value = path.join(index, query)",
  "export function result(file) { return string }",
  "the quick brown fox jumps over the lazy dog",
  "import { number, object } from '../lib/index.js'",
  "if (left === undefined) throw new TypeError(name)",
];

/**
 * Files of 1 to 3 KB, made on the server: `/d0042/f0007.ts`, a thousand in a directory, a tenth of them `.md`, and a tenth as
 * many tiny ones in one directory, `/flat`.
 */
export async function fill(pool, table, namespace, count) {
  await pool.query(
    `insert into ${table} (namespace, path, content, mime_type)
      select $1, '/d' || lpad((n / 1000)::text, 4, '0') || '/f' || lpad((n % 1000)::text, 4, '0')
          || case when n % 10 = 0 then '.md' else '.ts' end,
        'edit me' || E'\\n' || t.content || case when n % greatest(1000, $2::integer / 10) = 77 then E'a ${RARE} here\\n' else '' end
          || case when n % 3 = 0 then repeat(E'a ${COMMON} here\\n', 5) else '' end,
        'text/plain'
      from generate_series(0, $2::integer - 1) n cross join lateral (
        select string_agg(
          ($3::text[])[1 + (n + k) % 5] || case when k % 4 = 0 then ' ' || md5((n * 64 + k)::text) else '' end || E'\\n', ''
        ) as content from generate_series(1, 20 + n % 30) k
      ) t`,
    [namespace, count, LINES],
  );
  await pool.query(
    `insert into ${table} (namespace, path, content, mime_type)
      select $1, '/flat/n' || lpad(n::text, 6, '0') || '.txt', 'flat ' || n, 'text/plain'
      from generate_series(0, $2::integer / 10 - 1) n`,
    [namespace, count],
  );
  await pool.query(`vacuum analyze ${table}`);
}

/** Files of 1 KB for an upload, new ones with each name. */
export function batchOf(count, directory, name = "u") {
  const bytes = Buffer.from(`${LINES.join("\n")}\n`.repeat(4));
  return Array.from({ length: count }, (_, n) => [`${directory}/${name}${n}.txt`, bytes]);
}
