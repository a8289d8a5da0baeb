import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { Redis } from "ioredis";
import { afterAll, beforeAll } from "vitest";

/** A Redis and a client for the suite that calls this, from its first test to its last. */
export function startRedisForSuite(): { readonly redis: Redis } {
  let server: TestServer<RedisInfo> | undefined;
  let redis: Redis | undefined;
  // Not before the hook: a suite is collected where there is no Redis too, and is then skipped.
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.info.url);
  });
  afterAll(async () => {
    redis?.disconnect();
    await server?.stop();
  });
  return {
    get redis() {
      if (redis === undefined) throw new Error("Redis is available inside tests only.");
      return redis;
    },
  };
}
