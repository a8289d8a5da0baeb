import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import { waitFor } from "@fs/protocol/async";
import { type Connection, Connections, type Row, type TimeLimits } from "./connections.js";
import { databaseError, isTransient } from "./database-error.js";
import type { PgPool, PgQuery } from "./pool.js";
import { UnsettledChanges } from "./unsettled-changes.js";

export type { Row } from "./connections.js";

/** Sends one statement and gives its rows. */
export type Send = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

/** A call that changes files, and which: later changes of these never overtake it. */
export interface Change extends VolumeCall {
  readonly paths: readonly string[];
}

/** Times a statement that lost against another one is sent again. */
const MAX_RETRIES = 8;

/** Statements over a pool: prepared by name, sent again after a deadlock, bounded in time, with coded errors. */
export class Database {
  readonly connections: Connections;
  readonly #prepare: boolean;
  readonly #names = new Map<string, string>();
  readonly #unsettled = new UnsettledChanges();

  constructor(open: () => Promise<PgPool>, limits: TimeLimits, prepare: boolean) {
    this.connections = new Connections(open, limits);
    this.#prepare = prepare;
  }

  /** Runs one statement that changes nothing, prepared under a name of its own. */
  async read(text: string, values: readonly unknown[], call: VolumeCall): Promise<readonly Row[]> {
    return this.#read(this.#named(text, values), call);
  }

  /** As {@link read}, but planned for these very values each time: for a search, whose best plan depends on its pattern. */
  async readPlanned(
    text: string,
    values: readonly unknown[],
    call: VolumeCall,
  ): Promise<readonly Row[]> {
    return this.#read({ text, values: [...values] }, call);
  }

  /** Runs one statement that changes files, as a transaction of its own. */
  async change(text: string, values: readonly unknown[], change: Change): Promise<readonly Row[]> {
    const { callTimeoutMs: timeoutMs } = this.connections.limits;
    return this.#again(change, async () => {
      await this.#turn(change);
      const connection = await this.connections.take(change);
      const { signal } = change;
      try {
        const query = this.#named(text, values);
        const rows = await connection.send(query, { signal, timeoutMs }, "unknown");
        connection.release();
        return rows;
      } catch (error) {
        this.#leave(connection, change.paths);
        throw error;
      }
    });
  }

  /**
   * Runs a task within one transaction; after a deadlock from its beginning.
   *
   * @param timeoutMs What the whole transaction may take. Default: `callTimeoutMs`.
   */
  async transaction<T>(
    change: Change,
    task: (send: Send) => Promise<T>,
    timeoutMs: number = this.connections.limits.callTimeoutMs,
  ): Promise<T> {
    return this.#again(change, async () => {
      await this.#turn(change);
      const connection = await this.connections.take(change);
      const deadline = performance.now() + timeoutMs;
      const wait = (): { signal: AbortSignal | undefined; timeoutMs: number } => ({
        signal: change.signal,
        timeoutMs: Math.max(0, deadline - performance.now()),
      });
      let committing = false;
      try {
        await connection.send({ text: "begin" }, wait(), "undone");
        const result = await task((text, values) =>
          connection.send({ text, values: [...values] }, wait(), "undone"),
        );
        committing = true;
        await connection.send({ text: "commit" }, wait(), "unknown");
        connection.release();
        return result;
      } catch (error) {
        if (committing) this.#leave(connection, change.paths);
        else await this.#rollBack(connection);
        throw error;
      }
    });
  }

  async #read(query: PgQuery, call: VolumeCall): Promise<readonly Row[]> {
    const { callTimeoutMs: timeoutMs } = this.connections.limits;
    return this.#again(call, async () => {
      const connection = await this.connections.take(call);
      try {
        return await connection.send(query, { signal: call.signal, timeoutMs }, "read");
      } finally {
        connection.release();
      }
    });
  }

  /** Waits for earlier changes of the paths that are still under way although their callers have their answer. */
  async #turn({ paths, signal }: Change): Promise<void> {
    const before = this.#unsettled.before(paths);
    if (before === undefined) return;
    const { callTimeoutMs: timeoutMs } = this.connections.limits;
    await waitFor(before, { signal, timeoutMs }, (why) =>
      why === "aborted"
        ? new VolumeError("aborted")
        : new VolumeError(
            "unavailable",
            "An earlier change of this path is still under way. Nothing was changed by this call; try again later.",
          ),
    );
  }

  /** Gives a connection back, or leaves it to the change that is still under way. */
  #leave(connection: Connection, paths: readonly string[]): void {
    if (connection.state !== "busy") return connection.release();
    this.#unsettled.add(paths, connection.settle(this.connections.limits.callTimeoutMs));
  }

  async #rollBack(connection: Connection): Promise<void> {
    const { callTimeoutMs: timeoutMs } = this.connections.limits;
    try {
      if (connection.state === "idle")
        await connection.send({ text: "rollback" }, { timeoutMs }, "undone");
    } catch {
      // The first error is the one to report. A connection that cannot roll back is closed, which undoes the same.
    }
    connection.release();
  }

  #named(text: string, values: readonly unknown[]): PgQuery {
    if (!this.#prepare) return { text, values: [...values] };
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `fs_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
      this.#names.set(text, name);
    }
    return { name, text, values: [...values] };
  }

  async #again<T>({ signal }: VolumeCall, attempt: () => Promise<T>): Promise<T> {
    for (let retries = 0; ; retries++) {
      if (signal?.aborted === true) throw new VolumeError("aborted");
      try {
        return await attempt();
      } catch (error) {
        if (!isTransient(error) || retries === MAX_RETRIES) throw databaseError(error);
        await delay(Math.random() * 2 ** Math.min(retries + 1, 6));
      }
    }
  }
}
