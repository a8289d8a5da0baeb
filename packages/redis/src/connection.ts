import { type VolumeCall, VolumeError } from "@fs/protocol/author";
import { CHANGE_GRACE_MS, refuseAborted, waitFor } from "@fs/protocol/async";
import { isClusterClient, type CommandArgument, type RedisClient } from "./client.js";
import { coded, type Effect, isReadOnlyServer, isUnknownScript, noAnswer } from "./errors.js";
import { buffersOf } from "./replies.js";
import type { Script } from "./script.js";

export interface ConnectionOptions {
  /** A client of yours: it stays yours and open. One of `client` and `url` is needed. */
  client?: RedisClient | undefined;
  /** `redis://` or, with TLS, `rediss://`. The connection is opened at the first call and closed with the backend. */
  url?: string | undefined;
  /** `"refuse"` (default): no write where the server may evict what was stored. `"allow"`: the files are a cache. */
  eviction?: "refuse" | "allow" | undefined;
  /** Keys expire by themselves, so that `volatile-*` policies concern them too. */
  volatile: boolean;
  /** A key of the namespace, to look at before the server's settings. */
  probe: string;
  /** Milliseconds to open a connection of its own. Default 5,000. */
  connectTimeoutMs?: number | undefined;
  /** Milliseconds to get the answer of a command. Default 30,000. */
  callTimeoutMs?: number | undefined;
}

const CONNECT_TIMEOUT_MS = 5000;
const CALL_TIMEOUT_MS = 30_000;

/** One script call in a pipeline. */
export type ScriptCall = readonly [script: Script, args: readonly CommandArgument[]];

/** A client with its scripts. Every error it throws is a VolumeError. */
export class Connection {
  readonly #options: ConnectionOptions;
  #client: Promise<RedisClient> | undefined;
  #evicts: Promise<string | undefined> | undefined;
  #closed = false;

  /** @throws TypeError when neither or both of `client` and `url` are given, or the URL is none. It never repeats the URL. */
  constructor(options: ConnectionOptions) {
    const { client, url } = options;
    if ((client === undefined) === (url === undefined)) {
      throw new TypeError("Give either 'client' or 'url'.");
    }
    if (url !== undefined && !isRedisUrl(url)) {
      throw new TypeError("'url' must be a redis:// or rediss:// URL.");
    }
    if (client !== undefined && readsFromReplicas(client))
      throw new TypeError(
        "'client' reads from replicas ('scaleReads'), which lag behind: a file just written would be missing.",
      );
    this.#options = options;
  }

  /** Fields of a hash, in order. */
  async fields(key: string, names: readonly string[], call: VolumeCall): Promise<unknown> {
    return this.#answer("read", call, async () => (await this.client()).hmgetBuffer(key, ...names));
  }

  /** Runs a script that changes nothing, by its digest, or by its source on a server that does not know it yet. */
  async run(
    script: Script,
    keys: readonly string[],
    args: readonly CommandArgument[],
    call: VolumeCall,
  ): Promise<unknown> {
    return this.#answer("read", call, async () =>
      evaluate(await this.client(), script, keys, args),
    );
  }

  /** As {@link run} for a script that changes something. */
  async change(
    script: Script,
    keys: readonly string[],
    args: readonly CommandArgument[],
    call: VolumeCall,
  ): Promise<unknown> {
    return this.#answer("unknown", call, async () =>
      evaluate(await this.client(), script, keys, args),
    );
  }

  /** Runs scripts that change something in one round trip, each on its own; answers in order. */
  async changeAll(
    keys: readonly string[],
    calls: readonly ScriptCall[],
    call: VolumeCall,
  ): Promise<Array<PromiseSettledResult<Array<Buffer | undefined>>>> {
    const change = async ([script, args]: ScriptCall): Promise<Array<Buffer | undefined>> =>
      buffersOf(await this.change(script, keys, args, call));
    const [first] = calls;
    if (calls.length === 1 && first !== undefined) return [await outcomeOf(change(first))];
    const replies = await this.#answer("unknown", call, async () => {
      const pipeline = (await this.client()).pipeline();
      for (const [script, args] of calls)
        pipeline.callBuffer("EVALSHA", [script.sha, keys.length, ...keys, ...args]);
      return (await pipeline.exec()) ?? [];
    });
    return Promise.all(
      calls.map(async (one, index) => {
        const [error, value] = replies[index] ?? [new Error("no reply"), undefined];
        if (error === null) return outcomeOf(Promise.resolve(value).then(buffersOf));
        if (!isUnknownScript(error))
          return { status: "rejected" as const, reason: coded(error, "unknown") };
        return outcomeOf(change(one));
      }),
    );
  }

  /** Milliseconds to get the answer of a command. */
  get callTimeoutMs(): number {
    return this.#options.callTimeoutMs ?? CALL_TIMEOUT_MS;
  }

  /** Sends one command that changes nothing. */
  async ask(command: string, args: readonly CommandArgument[], call: VolumeCall): Promise<unknown> {
    return this.#answer("undone", call, async () =>
      (await this.client()).callBuffer(command, [...args]),
    );
  }

  /** A setting of the server, of a cluster that of any node; `undefined` where it has none of this name, or may not be asked. */
  async setting(name: string, call: VolumeCall): Promise<string | undefined> {
    const answer = await this.#answer("undone", call, async () => {
      try {
        return await (await this.client()).callBuffer("CONFIG", ["GET", name]);
      } catch (error) {
        // By a rule for the account, or a name that an offering without settings does not know.
        if (error instanceof Error && /^(?:NOPERM|ERR)\b/.test(error.message)) return [];
        throw error;
      }
    });
    return buffersOf(answer)[1]?.toString();
  }

  /** An answer within the time of a call, or a VolumeError. The client may still send what is no longer waited for. */
  async #answer<T>(effect: Effect, { signal }: VolumeCall, task: () => Promise<T>): Promise<T> {
    const { callTimeoutMs: timeoutMs } = this;
    const graceMs = effect === "unknown" ? CHANGE_GRACE_MS : 0;
    refuseAborted(signal);
    try {
      return await waitFor(task(), { signal, timeoutMs, graceMs }, (why) => noAnswer(why, effect));
    } catch (error) {
      throw coded(error, effect);
    }
  }

  /**
   * Refuses to write where the server drops keys when its memory is full, unless the caller allowed it. Looked up once, at
   * the first write.
   */
  async refuseEviction(call: VolumeCall): Promise<void> {
    if (this.#options.eviction === "allow") return;
    let policy: string | undefined;
    try {
      policy = await this.#answer(
        "undone",
        call,
        async () => (this.#evicts ??= this.evictionPolicy()),
      );
    } catch (error) {
      this.#evicts = undefined;
      throw error;
    }
    if (policy === undefined) return;
    throw new VolumeError(
      "unsupported",
      `This Redis server evicts keys when its memory is full (maxmemory-policy ${policy}), so a stored file could vanish. ` +
        "Set the policy to noeviction, or pass eviction: 'allow' to use the server as a cache.",
    );
  }

  /** The policy by which the server may evict what is stored here, or `undefined` when it never does. */
  async evictionPolicy(): Promise<string | undefined> {
    const client = await this.client();
    // A cluster client knows its nodes once it has sent a command.
    await client.exists(this.#options.probe);
    const nodes = isClusterClient(client) ? client.nodes("master") : [client];
    for (const node of nodes) {
      const info = String(await node.info("memory"));
      const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "noeviction";
      const bounded = !/^maxmemory:0\s*$/m.test(info);
      const concerned =
        policy.startsWith("allkeys-") || (policy.startsWith("volatile-") && this.#options.volatile);
      if (bounded && concerned) return policy;
    }
    return undefined;
  }

  /** The client. Opens the connection when it is to be our own. */
  async client(): Promise<RedisClient> {
    if (this.#closed) throw new VolumeError("unavailable", "This backend has been closed.");
    this.#client ??= this.#open();
    return this.#client;
  }

  /** Closes a connection of our own. */
  async close(): Promise<void> {
    const opened = this.#client;
    this.#closed = true;
    if (this.#options.client !== undefined || opened === undefined) return;
    (await opened).disconnect();
  }

  async #open(): Promise<RedisClient> {
    const { client, url } = this.#options;
    if (client !== undefined || url === undefined) return client as RedisClient;
    const { Redis } = await import("ioredis");
    const own = new Redis(url, {
      // A call fails within two seconds without a server; the connection goes on trying for the next one.
      maxRetriesPerRequest: 3,
      retryStrategy: (times) => Math.min(times * 50, 500),
      connectTimeout: this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      // After a failover the name of the server may lead to another one: the next command connects again. This one is
      // answered, for a server that stays a replica would refuse it again and again.
      reconnectOnError: isReadOnlyServer,
    });
    // Each call reports its own failure; without a listener ioredis prints to the console.
    own.on("error", () => undefined);
    return own;
  }
}

async function evaluate(
  client: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly CommandArgument[],
): Promise<unknown> {
  const rest = [...keys, ...args];
  try {
    return await (client.evalshaBuffer?.(script.sha, keys.length, ...rest) ??
      client.callBuffer("EVALSHA", [script.sha, keys.length, ...rest]));
  } catch (error) {
    if (!isUnknownScript(error)) throw error;
    return (
      client.evalBuffer?.(script.source, keys.length, ...rest) ??
      client.callBuffer("EVAL", [script.source, keys.length, ...rest])
    );
  }
}

async function outcomeOf<T>(task: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([task]);
  return outcome;
}

function readsFromReplicas(client: RedisClient): boolean {
  const { scaleReads = "master" } = client.options ?? {};
  return isClusterClient(client) && scaleReads !== "master";
}

function isRedisUrl(url: string): boolean {
  return URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol);
}
