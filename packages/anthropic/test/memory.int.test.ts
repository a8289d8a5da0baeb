import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PostgresBackend } from "@fs/postgres";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll } from "vitest";
import { answersAsTheirs } from "./memories.js";

describeWithServer("postgres", "the memory", () => {
  let server: TestServer<PostgresInfo>;
  const base = mkdtempSync(join(tmpdir(), "fs-anthropic-"));
  const opened: PostgresBackend[] = [];
  let backend: PostgresBackend;
  beforeAll(async () => {
    server = await startPostgres();
    backend = new PostgresBackend({ url: server.info.url });
    await backend.setup();
  });
  afterAll(async () => {
    await Promise.all([backend, ...opened].map(async (one) => one.close()));
    await server.stop();
    rmSync(base, { recursive: true, force: true });
  });
  answersAsTheirs("PostgreSQL", base, () => {
    const own = new PostgresBackend({ url: server.info.url, namespace: randomUUID() });
    opened.push(own);
    return own;
  });
});
