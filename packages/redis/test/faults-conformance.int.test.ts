import { type Faults, type Harness, withoutHooks } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import {
  type FaultyLink,
  linkFaults,
  openFaultyLink,
  type RedisInfo,
  startRedis,
  type TestServer,
} from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { DEFAULT_MAX_FILE_BYTES, RedisBackend } from "@fs/redis";
import { Redis } from "ioredis";

describeWithServer("redis", "RedisBackend under faults", () => {
  let server: TestServer<RedisInfo>;
  let link: FaultyLink;
  let admin: Redis;
  let client: Redis;

  const refuse = async (): Promise<() => Promise<void>> => {
    await admin.call("ACL", "SETUSER", "agent", "-@all");
    return async () => void (await admin.call("ACL", "SETUSER", "agent", "+@all"));
  };
  const fill = async (): Promise<() => Promise<void>> => {
    await admin.config("SET", "maxmemory", "1");
    return async () => void (await admin.config("SET", "maxmemory", "0"));
  };
  // A replica of a server that is gone keeps its files, and shows them.
  const readOnly = async (): Promise<() => Promise<void>> => {
    await admin.replicaof("127.0.0.1", 1);
    return async () => void (await admin.replicaof("NO", "ONE"));
  };
  const faults = (): Faults => ({ ...linkFaults(link), refuse, fill, readOnly });

  const harness: Harness = {
    name: "redis behind a link that fails",
    setup: async () => {
      server = await startRedis({ durable: true });
      admin = new Redis(server.info.url);
      await admin.call("ACL", "SETUSER", "agent", "on", "nopass", "~*", "&*", "+@all");
      link = await openFaultyLink(Number(new URL(server.info.url).port));
      client = new Redis(link.port, "127.0.0.1", {
        username: "agent",
        password: "any",
        // So that an outage is answered at once, and over as soon as it is.
        maxRetriesPerRequest: 0,
        retryStrategy: () => 20,
      });
      client.on("error", () => undefined);
    },
    teardown: async () => {
      client.disconnect();
      admin.disconnect();
      await link.stop();
      await server.stop();
    },
    create: ({ ns }) => new RedisBackend({ client, namespace: ns, callTimeoutMs: 5000 }),
    peer: ({ ns }) => new RedisBackend({ client: admin, namespace: ns }),
    faults,
    profile: { limits: { fileBytes: DEFAULT_MAX_FILE_BYTES } },
    secrets: ["redis://", "127.0.0.1", "EVALSHA"],
  };
  conformance(harness, { only: "fault/*" });
  conformance(withoutHooks(harness), { only: "fault/*" });
});
