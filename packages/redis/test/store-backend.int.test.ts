import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { RedisStore } from "@fs/redis/store";
import { StoreBackend } from "@fs/store";
import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";

describeWithServer("redis", "StoreBackend on RedisStore", () => {
  let server: TestServer<RedisInfo>;
  let store: RedisStore;

  conformance(
    {
      name: "store in Redis",
      setup: async () => {
        server = await startRedis({ durable: true });
        store = new RedisStore({ url: server.info.url });
      },
      teardown: async () => {
        await store.stop();
        await server.stop();
      },
      create: ({ ns }) => new StoreBackend({ store, namespace: [ns] }),
      // A store knows no conditions, so backends of one process are ordered by the store object that they share.
      peer: ({ ns }) => new StoreBackend({ store, namespace: [ns] }),
      reopen: ({ ns }) => {
        const again = new RedisStore({ url: server.info.url });
        return {
          backend: new StoreBackend({ store: again, namespace: [ns] }),
          dispose: () => again.stop(),
        };
      },
      profile: { durable: true, collisions: "allowed" },
      secrets: ["redis://", "127.0.0.1", "EVALSHA"],
    },
    VARIANT,
  );
});
