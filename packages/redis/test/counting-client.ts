import type { CommandArgument, RedisClient } from "../src/client.js";

/** A client that counts what goes over the wire: one for each command, and one for each pipeline. */
export class CountingClient implements RedisClient {
  readonly #client: RedisClient;
  roundTrips = 0;

  constructor(client: RedisClient) {
    this.#client = client;
  }

  callBuffer(command: string, args: CommandArgument[]): Promise<unknown> {
    this.roundTrips++;
    return this.#client.callBuffer(command, args);
  }

  hmgetBuffer(key: string, ...fields: string[]): Promise<unknown> {
    this.roundTrips++;
    return this.#client.hmgetBuffer(key, ...fields);
  }

  exists(key: string): Promise<unknown> {
    this.roundTrips++;
    return this.#client.exists(key);
  }

  info(section: string): Promise<unknown> {
    this.roundTrips++;
    return this.#client.info(section);
  }

  pipeline(): ReturnType<RedisClient["pipeline"]> {
    this.roundTrips++;
    return this.#client.pipeline();
  }

  disconnect(): void {
    this.#client.disconnect();
  }

  quit(): Promise<unknown> {
    return this.#client.quit();
  }

  duplicate(): ReturnType<RedisClient["duplicate"]> {
    return this.#client.duplicate();
  }

  /** Round trips of a task. */
  async during(task: () => Promise<unknown>): Promise<number> {
    const before = this.roundTrips;
    await task();
    return this.roundTrips - before;
  }
}
