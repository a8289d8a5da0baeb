import { startRedis, missingReason, skipReason } from "@fs/test-servers";
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a server named in the environment is used as it is and never stopped", async () => {
  vi.stubEnv("FS_TEST_REDIS_URL", "redis://10.0.0.1:7000");
  expect(missingReason("redis")).toBeUndefined();
  const server = await startRedis();
  expect(server).toMatchObject({ external: true, info: { url: "redis://10.0.0.1:7000" } });
  await server.stop();
  await expect(server.kill()).rejects.toThrow("FS_TEST_REDIS_URL is not ours to kill");
  await expect(server.restart()).rejects.toThrow("FS_TEST_REDIS_URL is not ours to kill");
});

test("an S3 endpoint without keys is refused, not half used", async () => {
  const { startCeph } = await import("@fs/test-servers");
  vi.stubEnv("FS_TEST_S3_ENDPOINT", "http://10.0.0.1:7000");
  await expect(startCeph()).rejects.toThrow("also needs FS_TEST_S3_ACCESS_KEY_ID");
});

test("what is met gives no reason to skip", () => {
  vi.stubEnv("CI", "true");
  vi.stubEnv("FS_TEST_POSTGRES_URL", "postgres://10.0.0.1/x");
  vi.stubEnv("FS_TEST_REDIS_URL", "redis://10.0.0.1");
  expect(skipReason("postgres", "redis")).toBeUndefined();
});

test("the rule for what is missing: skipped with a reason, but a failure under CI", async () => {
  vi.resetModules();
  vi.doMock(import("node:fs"), async (original) => ({
    ...(await original()),
    existsSync: () => false,
  }));
  vi.stubEnv("CI", "");
  const { skipReason: onBareMachine } = await import("@fs/test-servers");
  expect(onBareMachine("redis", "busybox")).toBe(
    'no Redis server: set FS_TEST_REDIS_URL or install "redis-server"; no busybox: install "busybox"',
  );
  vi.stubEnv("CI", "true");
  expect(() => onBareMachine("postgres")).toThrow("CI runs every suite, but: no PostgreSQL server");
  vi.doUnmock(import("node:fs"));
});
