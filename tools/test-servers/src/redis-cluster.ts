import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Daemon } from "./daemon.js";
import { VARIABLES, redisClusterFromEnvironment } from "./environment.js";
import { adoptDirectory } from "./orphans.js";
import { NotReadyError, freePort, withFreshPorts } from "./ports.js";
import { findProgram } from "./programs.js";
import { launchRedis, redisConfig } from "./redis.js";
import { missingReason } from "./requirements.js";
import { externalServer, privateServer, removeDirectory, run } from "./server.js";
import type { StartOptions, TestServer } from "./server.js";

export interface RedisClusterInfo {
  /** One URL for each node: the masters first, and all of them where no replicas were asked for. */
  readonly urls: readonly string[];
}

/** A cluster whose nodes can be killed one by one; not one named in the environment. */
export interface RedisClusterServer extends TestServer<RedisClusterInfo> {
  /** Ends the node at a port with SIGKILL, keeping its data. */
  killNode(port: number): Promise<void>;
  /** Starts it again. Resolves once it answers; the others may need a while to see it. */
  restartNode(port: number): Promise<void>;
}

export interface StartRedisClusterOptions extends StartOptions {
  /** How many masters share the slots. Default 3, the least that Redis calls a cluster. */
  readonly nodes?: number;
  /** Replicas of each master, which take its place some time after `nodeTimeoutMs`. Default 0. */
  readonly replicas?: number;
  /** Milliseconds without an answer after which a node counts as failed. Default 5,000. */
  readonly nodeTimeoutMs?: number;
}

const READY_TIMEOUT_MS = 30_000;
/** The node timeout while a cluster forms: a busy machine must not fail a node that is only late. */
const FORMING_TIMEOUT_MS = 15_000;

/**
 * A private Redis Cluster on loopback, every slot assigned, without replicas unless asked for; every node keeps
 * acknowledged writes over kill() and restart(), which act on all nodes. Or the cluster in
 * FS_TEST_REDIS_CLUSTER_URLS.
 */
export function startRedisCluster(
  options: StartRedisClusterOptions = {},
): Promise<RedisClusterServer> {
  return withFreshPorts(() => startOnce(options));
}

async function startOnce(options: StartRedisClusterOptions): Promise<RedisClusterServer> {
  const external = redisClusterFromEnvironment();
  const { replicas = 0, nodeTimeoutMs = 5000 } = options;
  if (external && replicas === 0) return externalCluster(external);
  const cli = findProgram("redis-cli");
  if (cli === undefined) throw new Error(missingReason("redis-cluster"));
  const directory = adoptDirectory(await mkdtemp(join(tmpdir(), "fs-redis-cluster-")));
  const nodes: { port: number; bus: number; folder: string }[] = [];
  for (let index = 0; index < (options.nodes ?? 3) * (1 + replicas); index++) {
    const folder = join(directory, `node-${index}`);
    await mkdir(folder);
    nodes.push({ port: await freePort(), bus: await freePort(), folder });
  }
  const ask = async (port: number, ...command: string[]): Promise<string> =>
    (await run(cli, ["-h", "127.0.0.1", "-p", `${port}`, ...command])).stdout;

  const daemons = new Map<number, Daemon>();
  const launchNode = async (port: number, timeoutMs = nodeTimeoutMs): Promise<void> => {
    const node = nodes.find((each) => each.port === port);
    if (node === undefined) throw new Error(`no node of the cluster has the port ${port}`);
    const config = {
      ...redisConfig({ directory: node.folder, port, durable: true }),
      "cluster-enabled": "yes",
      "cluster-port": `${node.bus}`,
      "cluster-config-file": "nodes.conf",
      "cluster-node-timeout": `${timeoutMs}`,
    };
    const daemon = launchRedis(node.folder, config);
    daemons.set(port, daemon);
    await daemon.listening(port);
  };
  const launch = async (): Promise<void> => {
    await Promise.all(nodes.map(({ port }) => launchNode(port, FORMING_TIMEOUT_MS)));
  };
  const ready = async (): Promise<void> => {
    const deadline = Date.now() + READY_TIMEOUT_MS;
    for (const { port } of nodes)
      for (;;) {
        const state = await ask(port, "cluster", "info");
        const replication = await ask(port, "info", "replication");
        if (isReady(state, nodes.length) && !/master_link_status:down/.test(replication)) break;
        if (Date.now() > deadline)
          throw new NotReadyError(`A node of the cluster is not ready.\n${state}\n${replication}`);
        await sleep(50);
      }
    for (const { port } of nodes)
      await ask(port, "config", "set", "cluster-node-timeout", `${nodeTimeoutMs}`);
  };
  const end = async (): Promise<void> => {
    await Promise.all([...daemons.values()].map((daemon) => daemon.signal("SIGKILL")));
  };

  try {
    await launch();
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    const copies = ["--cluster-replicas", `${replicas}`];
    await run(cli, ["--cluster", "create", ...addresses, ...copies, "--cluster-yes"]);
    await ready();
  } catch (error) {
    await end();
    await removeDirectory(directory, options);
    throw error;
  }
  const server = privateServer({
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
  return {
    ...server,
    killNode: async (port) => daemons.get(port)?.signal("SIGKILL"),
    restartNode: (port) => launchNode(port),
  };
}

function externalCluster(info: RedisClusterInfo): RedisClusterServer {
  const server = externalServer(info, VARIABLES.redisCluster);
  return { ...server, killNode: server.kill, restartNode: server.restart };
}

function isReady(clusterInfo: string, nodes: number): boolean {
  return (
    clusterInfo.includes("cluster_state:ok") &&
    clusterInfo.includes("cluster_slots_ok:16384") &&
    clusterInfo.includes(`cluster_known_nodes:${nodes}`)
  );
}
