import { PostgresBackend } from "@fs/postgres";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { answersAsTheirs } from "./workspaces.js";

describeWithServer("postgres", "a workspace", () => {
  let server: TestServer<PostgresInfo>;
  const dir = mkdtempSync(join(tmpdir(), "fs-mastra-"));
  let backend: PostgresBackend;
  beforeAll(async () => {
    server = await startPostgres();
    backend = new PostgresBackend({ url: server.info.url });
    await backend.setup();
  });
  afterAll(async () => {
    await backend.close();
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  answersAsTheirs(
    "PostgreSQL",
    () => dir,
    async () => backend,
  );
});
