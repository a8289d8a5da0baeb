import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { expect, test } from "vitest";
import { pglitePool, PostgresBackend } from "@fs/postgres";

let database: PGlite;
const pool = pglitePool({ query: (text, values) => database.query(text, values) });

conformance(
  {
    name: "pglite",
    setup: async () => {
      database = await PGlite.create({ extensions: { pg_trgm } });
      await new PostgresBackend({ client: pool }).setup({ trigram: true });
    },
    teardown: () => database.close(),
    create: ({ ns }) => new PostgresBackend({ client: pool, namespace: ns }),
  },
  VARIANT,
);

test("a transaction on the one connection keeps other calls out", async () => {
  await using own = await PGlite.create();
  const backend = new PostgresBackend({ client: pglitePool(own) });
  await backend.setup();
  await backend.uploadFiles(Array.from({ length: 50 }, (_, n) => [`/d/${n}`, Buffer.from(`${n}`)]));
  const answers = await Promise.all([
    backend.move("/d", "/e"),
    ...Array.from({ length: 20 }, (_, n) => backend.write(`/w/${n}`, "x")),
    backend.copy("/nothing", "/f"),
  ]);
  expect(answers.filter((answer) => answer.error !== undefined)).toHaveLength(1);
  expect((await backend.ls("/e")).files).toHaveLength(50);
});
