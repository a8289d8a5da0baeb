import { conformance } from "@fs/conformance/vitest";
import { BESIDE_MEMORY } from "@fs/test-servers/variants";
import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { RedisBackend } from "@fs/redis";
import { Redis } from "ioredis";
import { CountingClient } from "./counting-client.js";
import { profile, secrets } from "./declared.js";
import { rawFiles } from "./raw-files.js";

describeWithServer("redis", "RedisBackend", () => {
  let server: TestServer<RedisInfo>;
  let client: Redis;
  let counting: CountingClient;
  let peer: Redis;
  const setup = async (): Promise<void> => {
    server = await startRedis({ durable: true });
    client = new Redis(server.info.url);
    counting = new CountingClient(client);
    peer = new Redis(server.info.url);
  };
  const teardown = async (): Promise<void> => {
    client.disconnect();
    peer.disconnect();
    await server.stop();
  };

  conformance(
    {
      name: "redis",
      setup,
      teardown,
      create: ({ ns }) => new RedisBackend({ client: counting, namespace: ns }),
      peer: ({ ns }) => new RedisBackend({ client: peer, namespace: ns }),
      reopen: ({ ns }) => new RedisBackend({ url: server.info.url, namespace: ns }),
      meter: () => ({ requests: counting.roundTrips }),
      outOfBand: ({ ns }) => rawFiles(client, ns),
      profile,
      secrets,
    },
    BESIDE_MEMORY,
  );
});
