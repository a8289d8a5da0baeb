import { describeWithServer } from "@fs/test-servers/vitest";
import { expect, test } from "vitest";
import { readResults } from "../src/render.js";
import { measureAt } from "../src/run-suites.js";
import { postgres } from "../src/subjects/postgres.js";
import { redis } from "../src/subjects/redis.js";

const keptOf = (suite: string, files: number) =>
  readResults()
    .find((results) => results.suite === suite)
    ?.rows.filter((row) => row.files === files)
    .map(({ operation, counts }) => ({ operation, ...counts }));

describeWithServer("postgres", "what a call asks of PostgreSQL is what the results say", () => {
  test("100 files", async () => {
    const subject = postgres();
    const now = await measureAt(subject, 100, 0);
    await subject.stop?.();
    expect(now.map(({ operation, counts }) => ({ operation, ...counts }))).toEqual(
      keptOf("postgres", 100),
    );
  });
});

describeWithServer("redis", "what a call asks of Redis is what the results say", () => {
  test("100 files", async () => {
    const subject = redis();
    const now = await measureAt(subject, 100, 0);
    await subject.stop?.();
    expect(now.map(({ operation, counts }) => ({ operation, ...counts }))).toEqual(
      keptOf("redis", 100),
    );
  });
});
