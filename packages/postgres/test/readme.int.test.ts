import { readmeExamples, runExample } from "@fs/readme-examples";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";

describeWithServer("postgres", "the examples of the README", () => {
  let server: TestServer<PostgresInfo>;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test.each(readmeExamples(new URL("../README.md", import.meta.url)))("$title", async (example) => {
    const { lines } = await runExample(example, { env: { DATABASE_URL: server.info.url } });
    expect(lines.length).toBeGreaterThan(0);
  });
});
