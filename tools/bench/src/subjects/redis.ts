import { RedisBackend } from "@fs/redis";
import { type RedisInfo, startRedis, type TestServer } from "@fs/test-servers";
import { Redis } from "ioredis";
import type { Counter } from "../measure.js";
import { fill } from "../operations.js";
import type { Subject } from "../subject.js";

/** Counts the commands that a client sends. */
function countCommands(client: Redis): Counter {
  let commands = 0;
  const send = client.sendCommand.bind(client);
  client.sendCommand = (...given) => {
    commands++;
    return send(...given);
  };
  return {
    take: () => {
      const taken = { commands };
      commands = 0;
      return taken;
    },
  };
}

/** Redis, beside a PING on the same connection. deepagents has nothing for it. */
export function redis(): Subject {
  let server: TestServer<RedisInfo> | undefined;
  let spaces = 0;
  return {
    suite: "redis",
    title: "Redis",
    sides: { ours: "RedisBackend of @fs/redis", limit: "PING" },
    clock: "wall",
    mostFiles: 100_000,
    open: async (files) => {
      server ??= await startRedis();
      const client = new Redis(server.info.url);
      const counter = countCommands(client);
      const ours = new RedisBackend({ client, namespace: `space${++spaces}` });
      await fill(ours, files);
      const ping = (): unknown => client.ping();
      return {
        ours,
        limits: { read: ping, write: ping, edit: ping, "ls of a directory of 100": ping },
        counters: { ours: counter },
        close: async () => {
          await client.quit();
        },
      };
    },
    stop: async () => server?.stop(),
  };
}
