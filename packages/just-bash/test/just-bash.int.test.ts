import { PostgresBackend } from "@fs/postgres";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll } from "vitest";
import { answersAsTheirs } from "./shells.js";

describeWithServer("postgres", "a shell", () => {
  let server: TestServer<PostgresInfo>;
  let backend: PostgresBackend;
  beforeAll(async () => {
    server = await startPostgres();
    backend = new PostgresBackend({ url: server.info.url });
    await backend.setup();
  });
  afterAll(async () => {
    await backend.close();
    await server.stop();
  });
  answersAsTheirs("PostgreSQL", async () => backend);
});
