import { readmeExamples, runExample } from "@fs/readme-examples";
import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, test } from "vitest";

describeWithServer("redis", "README of @fs/redis", () => {
  let server: TestServer<RedisInfo>;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  for (const example of readmeExamples(new URL("../README.md", import.meta.url))) {
    test(example.title, async () => {
      await runExample(example, { env: { REDIS_URL: server.info.url } });
    });
  }
});
