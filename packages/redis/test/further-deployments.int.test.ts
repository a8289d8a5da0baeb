import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import {
  startRedis,
  startRedisCluster,
  type RedisClusterInfo,
  type RedisInfo,
  type TestServer,
} from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { RedisBackend } from "@fs/redis";
import { Cluster, Redis } from "ioredis";
import { profile, secrets } from "./declared.js";
import { rawFiles } from "./raw-files.js";

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

describeWithServer("redis", "RedisBackend by its primitives", () => {
  let server: TestServer<RedisInfo>;
  let client: Redis;
  let peer: Redis;

  conformance(
    {
      name: "redis through the four primitives alone",
      setup: async () => {
        server = await startRedis();
        client = new Redis(server.info.url);
        peer = new Redis(server.info.url);
      },
      teardown: async () => {
        client.disconnect();
        peer.disconnect();
        await server.stop();
      },
      create: ({ ns }) => new RedisBackend({ client, namespace: ns }).withoutHooks(),
      peer: ({ ns }) => new RedisBackend({ client: peer, namespace: ns }),
      profile: { ...profile, durable: false, watch: "offered" },
      secrets,
    },
    VARIANT,
  );
});
