import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Daemon } from "./daemon.js";
import { VARIABLES, redisClusterFromEnvironment } from "./environment.js";
import { adoptDirectory } from "./orphans.js";
import { freePort, withFreshPorts } from "./ports.js";
import { findProgram } from "./programs.js";
import { launchRedis, redisConfig } from "./redis.js";
import { missingReason } from "./requirements.js";
import { externalServer, privateServer, removeDirectory, run } from "./server.js";
import type { StartOptions, TestServer } from "./server.js";

export interface RedisClusterInfo {
  /** One URL for each node, all of them masters. */
  readonly urls: readonly string[];
}

export interface StartRedisClusterOptions extends StartOptions {
  /** How many masters share the slots. Default 3, the least that Redis calls a cluster. */
  readonly nodes?: number;
}

const READY_TIMEOUT_MS = 60_000;

/**
 * A private Redis Cluster on loopback, every slot assigned, without replicas; every node keeps
 * acknowledged writes over kill() and restart(), which act on all nodes. Or the cluster in
 * FS_TEST_REDIS_CLUSTER_URLS.
 */
export function startRedisCluster(
  options: StartRedisClusterOptions = {},
): Promise<TestServer<RedisClusterInfo>> {
  return withFreshPorts(() => startOnce(options));
}

async function startOnce(options: StartRedisClusterOptions): Promise<TestServer<RedisClusterInfo>> {
  const external = redisClusterFromEnvironment();
  if (external) return externalServer(external, VARIABLES.redisCluster);
  const cli = findProgram("redis-cli");
  if (cli === undefined) throw new Error(missingReason("redis-cluster"));
  const directory = adoptDirectory(await mkdtemp(join(tmpdir(), "fs-redis-cluster-")));
  const nodes: { port: number; bus: number; folder: string }[] = [];
  for (let index = 0; index < (options.nodes ?? 3); index++) {
    const folder = join(directory, `node-${index}`);
    await mkdir(folder);
    nodes.push({ port: await freePort(), bus: await freePort(), folder });
  }
  const ask = async (port: number, ...command: string[]): Promise<string> =>
    (await run(cli, ["-h", "127.0.0.1", "-p", `${port}`, ...command])).stdout;

  let daemons: { daemon: Daemon; port: number }[] = [];
  const launch = async (): Promise<void> => {
    daemons = nodes.map(({ port, bus, folder }) => {
      const config = {
        ...redisConfig({ directory: folder, port, durable: true }),
        "cluster-enabled": "yes",
        "cluster-port": `${bus}`,
        "cluster-config-file": "nodes.conf",
        "cluster-node-timeout": "5000",
      };
      return { daemon: launchRedis(folder, config), port };
    });
    await Promise.all(daemons.map(({ daemon, port }) => daemon.listening(port)));
  };
  const ready = async (): Promise<void> => {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (const { port } of nodes)
      while (!isReady(await ask(port, "cluster", "info"), nodes.length)) {
        if (Date.now() > deadline) throw new Error("the Redis cluster did not become ready");
        await sleep(50);
      }
  };
  const end = async (): Promise<void> => {
    await Promise.all(daemons.map(({ daemon }) => daemon.signal("SIGKILL")));
  };

  try {
    await launch();
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    await run(cli, ["--cluster", "create", ...addresses, "--cluster-yes"]);
    await ready();
  } catch (error) {
    await end();
    await removeDirectory(directory, options);
    throw error;
  }
  return privateServer({
    info: { urls: nodes.map(({ port }) => `redis://127.0.0.1:${port}`) },
    directory,
    options,
    async start() {
      await launch();
      await ready();
    },
    crash: end,
    end,
  });
}

function isReady(clusterInfo: string, nodes: number): boolean {
  return (
    clusterInfo.includes("cluster_state:ok") &&
    clusterInfo.includes("cluster_slots_ok:16384") &&
    clusterInfo.includes(`cluster_known_nodes:${nodes}`)
  );
}
