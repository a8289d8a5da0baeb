import type { PgClient, PgPool, PgQuery, PgResult } from "./pool.js";

/** The part of PGlite that is used. */
export interface PgliteLike {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * A pool of one connection over PGlite, for PostgreSQL inside the process. Queries wait while a transaction has the
 * connection. PGlite stays the caller's to close.
 *
 * @example
 * const backend = new PostgresBackend({ client: pglitePool(new PGlite("./files")) });
 */
export function pglitePool(database: PgliteLike): PgPool {
  const exclusive = new Turnstile();
  const send = ({ text, values }: PgQuery): Promise<PgResult> => database.query(text, values);
  return {
    dropsByteOrderMark: true,
    async connect(): Promise<PgClient> {
      const leave = await exclusive.enter();
      return { query: send, release: leave };
    },
  };
}

/** Lets one in at a time, in order of arrival. */
class Turnstile {
  #last: Promise<void> = Promise.resolve();

  async enter(): Promise<() => void> {
    const before = this.#last;
    const { turn, leave } = newTurn();
    this.#last = turn;
    await before;
    return leave;
  }
}

function newTurn(): { turn: Promise<void>; leave: () => void } {
  const holder: { leave?: () => void } = {};
  const turn = new Promise<void>((resolve) => {
    holder.leave = resolve;
  });
  return { turn, leave: () => holder.leave?.() };
}
