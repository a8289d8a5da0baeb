import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import { databaseError, isTransient } from "./database-error.js";
import type { PgClient, PgPool, PgQuery } from "./pool.js";

/** A row whose columns all came as text, or are null: what a statement here selects. */
export type Row = Readonly<Record<string, string | null>>;

/** Sends one statement and gives its rows. */
export type Send = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

/** Times a statement that lost against another one is sent again. */
const MAX_RETRIES = 8;

/** Statements over a pool: prepared by name, sent again after a deadlock, with coded errors. */
export class Database {
  readonly #open: () => Promise<PgPool>;
  readonly #prepare: boolean;
  readonly #names = new Map<string, string>();

  constructor(open: () => Promise<PgPool>, prepare: boolean) {
    this.#open = open;
    this.#prepare = prepare;
  }

  /** Runs one statement as a transaction of its own, prepared under a name of its own. */
  async run(text: string, values: readonly unknown[], call: VolumeCall): Promise<readonly Row[]> {
    return this.#again(call, async () =>
      rowsOf(await (await this.#open()).query(this.#named(text, values))),
    );
  }

  /** As {@link run}, but planned for these very values each time: for a search, whose best plan depends on its pattern. */
  async runPlanned(
    text: string,
    values: readonly unknown[],
    call: VolumeCall,
  ): Promise<readonly Row[]> {
    return this.#again(call, async () =>
      rowsOf(await (await this.#open()).query({ text, values: [...values] })),
    );
  }

  /** Runs a task within one transaction; after a deadlock from its beginning. */
  async transaction<T>(call: VolumeCall, task: (send: Send) => Promise<T>): Promise<T> {
    return this.#again(call, async () => {
      const client = await (await this.#open()).connect();
      let broken = true;
      try {
        await client.query({ text: "begin" });
        const result = await task(async (text, values) =>
          rowsOf(await client.query({ text, values: [...values] })),
        );
        await client.query({ text: "commit" });
        broken = false;
        return result;
      } catch (error) {
        broken = !(await rolledBack(client));
        throw error;
      } finally {
        client.release(broken);
      }
    });
  }

  /** A connection of its own, for the caller to release. */
  async connect(): Promise<PgClient> {
    try {
      return await (await this.#open()).connect();
    } catch (error) {
      throw databaseError(error);
    }
  }

  /** Tells whether the pool gives no more connections, ever. */
  async isEnding(): Promise<boolean> {
    return (await this.#open()).ending === true;
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

async function rolledBack(client: PgClient): Promise<boolean> {
  try {
    await client.query({ text: "rollback" });
    return true;
  } catch {
    // The first error is the one to report; a connection that cannot even roll back is closed by its pool.
    return false;
  }
}

function rowsOf(result: { rows: readonly unknown[] }): readonly Row[] {
  return result.rows as readonly Row[];
}
