import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { startRedisCluster, type RedisClusterInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { RedisBackend } from "@fs/redis";
import { Cluster } from "ioredis";
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
