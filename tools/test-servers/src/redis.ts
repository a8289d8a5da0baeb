import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "./daemon.js";
import { VARIABLES, redisFromEnvironment } from "./environment.js";
import { adoptDirectory } from "./orphans.js";
import { freePort, withFreshPorts } from "./ports.js";
import { findProgram } from "./programs.js";
import { missingReason } from "./requirements.js";
import { externalServer, privateServer, removeDirectory } from "./server.js";
import type { StartOptions, TestServer } from "./server.js";

export interface RedisInfo {
  /** E.g. `redis://127.0.0.1:20123`. */
  readonly url: string;
  /** The path of its unix socket; undefined for a server named in the environment. */
  readonly socket?: string;
}

export interface StartRedisOptions extends StartOptions {
  /** Keeps every acknowledged write over kill() and restart() (an append-only file, synced always). Default false. */
  readonly durable?: boolean;
  /** More settings, as in redis.conf: `{ maxmemory: "4mb" }`. */
  readonly config?: Readonly<Record<string, string>>;
}

/** A private Redis (0.2 s to start), or the one in FS_TEST_REDIS_URL. */
export function startRedis(options: StartRedisOptions = {}): Promise<TestServer<RedisInfo>> {
  return withFreshPorts(() => startOnce(options));
}

async function startOnce(options: StartRedisOptions): Promise<TestServer<RedisInfo>> {
  const external = redisFromEnvironment();
  // A server that must survive a crash or have settings of its own has to be a private one.
  const needsOwn = options.durable === true || options.config !== undefined;
  if (external && !needsOwn) return externalServer(external, VARIABLES.redis);
  const directory = adoptDirectory(await mkdtemp(join(tmpdir(), "fs-redis-")));
  const port = await freePort();
  const socket = join(directory, "redis.sock");
  const config: Record<string, string> = {
    ...redisConfig({ directory, port, durable: options.durable === true }),
    unixsocket: socket,
    unixsocketperm: "700",
    ...options.config,
  };
  let daemon: Daemon | undefined;
  const start = async (): Promise<void> => {
    daemon = launchRedis(directory, config);
    await daemon.listening(port);
  };
  try {
    await start();
  } catch (error) {
    await daemon?.signal("SIGKILL");
    await removeDirectory(directory, options);
    throw error;
  }
  const end = (): Promise<void> => daemon?.signal("SIGKILL") ?? Promise.resolve();
  const info = { url: `redis://127.0.0.1:${port}`, socket };
  return privateServer({ info, directory, options, start, crash: end, end });
}

export function launchRedis(directory: string, config: Readonly<Record<string, string>>): Daemon {
  const command = findProgram("redis-server");
  if (command === undefined) throw new Error(missingReason("redis"));
  const args = Object.entries(config).flatMap(([name, value]) => [`--${name}`, value]);
  return new Daemon({ command, args, cwd: directory, log: join(directory, "server.log") });
}

export function redisConfig(options: {
  readonly directory: string;
  readonly port: number;
  readonly durable: boolean;
}): Record<string, string> {
  return {
    bind: "127.0.0.1",
    port: `${options.port}`,
    dir: options.directory,
    save: "",
    appendonly: options.durable ? "yes" : "no",
    appendfsync: "always",
    // By default a replica waits five seconds for others that want the same data.
    "repl-diskless-sync-delay": "0",
  };
}
