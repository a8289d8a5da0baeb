import { conformance } from "@fs/conformance/vitest";
import { BESIDE_MEMORY, VARIANT } from "@fs/test-servers/variants";
import {
  startRedis,
  startRedisCluster,
  type RedisClusterInfo,
  type RedisInfo,
  type TestServer,
} from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { DEFAULT_MAX_FILE_BYTES, RedisBackend } from "@fs/redis";
import { Cluster, Redis } from "ioredis";
import { CountingClient } from "./counting-client.js";
import { rawFiles } from "./raw-files.js";

const profile = { durable: true, watch: true, limits: { fileBytes: DEFAULT_MAX_FILE_BYTES } };
const secrets = ["redis://", "127.0.0.1", "EVALSHA"];

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

  conformance(
    {
      name: "redis through the four primitives alone",
      setup,
      teardown,
      create: ({ ns }) => new RedisBackend({ client, namespace: ns }).withoutHooks(),
      peer: ({ ns }) => new RedisBackend({ client: peer, namespace: ns }),
      profile: { ...profile, durable: false, watch: false },
      secrets,
    },
    VARIANT,
  );
});

describeWithServer("redis-cluster", "RedisBackend on a cluster", () => {
  let server: TestServer<RedisClusterInfo>;
  let client: Cluster;
  let peer: Cluster;

  conformance(
    {
      name: "redis cluster of three nodes",
      setup: async () => {
        server = await startRedisCluster();
        client = new Cluster([...server.info.urls]);
        peer = new Cluster([...server.info.urls]);
      },
      teardown: async () => {
        client.disconnect();
        peer.disconnect();
        await server.stop();
      },
      create: ({ ns }) => new RedisBackend({ client, namespace: ns }),
      peer: ({ ns }) => new RedisBackend({ client: peer, namespace: ns }),
      reopen: ({ ns }) => {
        const again = new Cluster([...server.info.urls]);
        return {
          backend: new RedisBackend({ client: again, namespace: ns }),
          dispose: () => again.disconnect(),
        };
      },
      outOfBand: ({ ns }) => rawFiles(client, ns),
      profile,
      secrets,
    },
    VARIANT,
  );
});
