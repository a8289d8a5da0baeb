import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { PostgresBackend } from "@fs/postgres";
import { StagingBackend } from "@fs/staging";
import { startPostgres } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { buildProjects } from "@fs/test-servers/built";
import { expect, test } from "vitest";

const COUNT = 20;

describeWithServer("postgres", "two processes on one upper layer in PostgreSQL", () => {
  test("lose nothing (B9)", async () => {
    buildProjects("packages/staging", "packages/postgres");
    const server = await startPostgres();
    const open = (layer: string): PostgresBackend =>
      new PostgresBackend({ url: server.info.url, namespace: `shared/${layer}` });
    const [base, upper] = [open("base"), open("upper")];
    try {
      await base.setup();
      await base.write("/log", "<end>");
      const script = join(import.meta.dirname, "shared", "staging-process.mjs");
      const storage = { kind: "postgres", url: server.info.url };
      await Promise.all(
        ["a", "b"].map((name) => {
          const task = JSON.stringify({ storage, root: "shared", name, count: COUNT });
          return promisify(execFile)(process.execPath, [script, task]);
        }),
      );
      const staged = new StagingBackend(base, { upper });
      expect((await base.read("/log")).content).toBe("<end>");
      expect(await staged.commit()).toMatchObject({ complete: true });
      const lines = String((await base.read("/log")).content).split("\n");
      const all = ["a", "b"].flatMap((name) =>
        Array.from({ length: COUNT }, (_, n) => `${name} ${n}`),
      );
      expect(lines.toSorted()).toEqual([...all, "<end>"].toSorted());
      expect((await base.glob("/{a,b}/*")).files).toHaveLength(2 * COUNT);
    } finally {
      await Promise.all([base.close(), upper.close()]);
      await server.stop();
    }
  });
});
