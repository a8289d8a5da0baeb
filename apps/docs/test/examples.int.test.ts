import { join } from "node:path";
import { readmeExamples, runExample } from "@fs/readme-examples";
import {
  type PostgresInfo,
  type RedisInfo,
  startPostgres,
  startRedis,
  type TestServer,
} from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { root } from "../src/repository.js";

const examplesOf = (page: string) => readmeExamples(join(root, page));
const resolveFrom = import.meta.dirname;

describeWithServer("postgres", "the pages about PostgreSQL", () => {
  let server: TestServer<PostgresInfo>;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test.each([
    ...examplesOf("docs/start/agent-on-postgres.md"),
    ...examplesOf("docs/operating/postgres.md"),
  ])("$title", async (example) => {
    await runExample(example, { resolveFrom, env: { DATABASE_URL: server.info.url } });
  });
});

describeWithServer("redis", "the page about Redis", () => {
  let server: TestServer<RedisInfo>;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  test.each(examplesOf("docs/operating/redis.md"))("$title", async (example) => {
    await runExample(example, { resolveFrom, env: { REDIS_URL: server.info.url } });
  });
});
