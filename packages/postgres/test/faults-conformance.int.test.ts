import { type Faults, type Harness, withoutHooks } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import {
  type FaultyLink,
  linkFaults,
  openFaultyLink,
  type PostgresInfo,
  startPostgres,
  type TestServer,
} from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import type pg from "pg";
import { PostgresBackend } from "@fs/postgres";
import { vi } from "vitest";
import { quietPool } from "./test-backends.js";

describeWithServer("postgres", "PostgresBackend under faults", () => {
  let server: TestServer<PostgresInfo>;
  let link: FaultyLink;
  let admin: pg.Pool;
  let pool: pg.Pool;

  const refuse = async (): Promise<() => Promise<void>> => {
    await admin.query("revoke all on fs_files from agent");
    return async () => void (await admin.query("grant all on fs_files to agent"));
  };
  // A full disk is a test of its own, `full-disk.int.test.ts`: what has room in a page of the table is stored all the same.
  /** Sets what every new session of the role begins with, and ends those that began otherwise. */
  const setReadOnly = async (mode: "on" | "off"): Promise<void> => {
    await admin.query(`alter role agent set default_transaction_read_only = ${mode}`);
    link.cut();
    await vi.waitUntil(() => pool.totalCount === 0, { timeout: 60_000 });
  };
  const readOnly = async (): Promise<() => Promise<void>> => {
    await setReadOnly("on");
    return () => setReadOnly("off");
  };
  const faults = (): Faults => ({ ...linkFaults(link), refuse, readOnly });

  const harness: Harness = {
    name: "postgres behind a link that fails",
    setup: async () => {
      server = await startPostgres();
      const { url } = server.info;
      admin = quietPool(url);
      await new PostgresBackend({ client: admin }).setup();
      // The rights of a superuser cannot be taken away.
      await admin.query("drop role if exists agent");
      await admin.query("create role agent login");
      await admin.query("grant all on fs_files, fs_files_migrations to agent");
      const { port } = new URL(url);
      link = await openFaultyLink(Number(port));
      pool = quietPool(url.replace(`:${port}`, `:${link.port}`).replace("//postgres@", "//agent@"));
    },
    teardown: async () => {
      await Promise.all([pool.end(), admin.end()]);
      await link.stop();
      await server.stop();
    },
    create: ({ ns }) => new PostgresBackend({ client: pool, namespace: ns }),
    peer: ({ ns }) => new PostgresBackend({ client: admin, namespace: ns }),
    faults,
    secrets: ["postgres://", "127.0.0.1"],
  };
  conformance(harness, { only: "fault/*" });
  conformance(withoutHooks(harness), { only: "fault/*" });
});
