/** What a command takes. */
export type CommandArgument = string | Buffer | number;

/**
 * The part of an ioredis client that is used: a `Redis` or a `Cluster` of ioredis 5 or 6. Only core commands are sent, so
 * Redis 6 and later and Valkey serve alike.
 */
export interface RedisClient {
  /** Of the settings, the prefix that the client puts before every key, never before a channel; and which nodes are read. */
  readonly options?: {
    readonly keyPrefix?: string | undefined;
    readonly scaleReads?: unknown;
  };
  callBuffer(command: string, args: CommandArgument[]): Promise<unknown>;
  // Every ioredis client has the next two, though its types do not say so. They are needed with automatic pipelining,
  // which does not know `callBuffer`.
  evalshaBuffer?(sha: string, keys: number, ...rest: CommandArgument[]): Promise<unknown>;
  evalBuffer?(source: string, keys: number, ...rest: CommandArgument[]): Promise<unknown>;
  hmgetBuffer(key: string, ...fields: string[]): Promise<unknown>;
  exists(key: string): Promise<unknown>;
  info(section: string): Promise<unknown>;
  pipeline(): RedisPipeline;
  disconnect(): void;
  quit(): Promise<unknown>;
  /** A second connection with the same settings, for `watch`: one that subscribes can do nothing else. */
  duplicate(): RedisSubscriber;
}

interface RedisPipeline {
  callBuffer(command: string, args: CommandArgument[]): unknown;
  exec(): Promise<Array<[error: Error | null, result: unknown]> | null>;
}

/** A connection that listens to a channel. */
export interface RedisSubscriber {
  subscribe(...channels: string[]): Promise<unknown>;
  on(event: string, listener: (...args: string[]) => void): unknown;
  disconnect(): void;
}

/** The client of one node of a cluster. */
interface RedisNode extends Pick<RedisClient, "info"> {
  duplicate(override: { retryStrategy: () => null }): RedisSubscriber;
}

/** A cluster client, which can name its nodes. */
export interface RedisClusterClient extends RedisClient {
  nodes(role: "all" | "master"): RedisNode[];
  /** `"end"` when it will connect no more. */
  readonly status: string;
  on(event: "end", listener: () => void): unknown;
  removeListener(event: "end", listener: () => void): unknown;
}

export function isClusterClient(client: RedisClient): client is RedisClusterClient {
  return "isCluster" in client && client.isCluster === true && "nodes" in client;
}
