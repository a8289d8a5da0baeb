/** What a query gives back. Only its rows are read. */
export interface PgResult {
  readonly rows: readonly unknown[];
}

/** A query as `pg` takes it. `name` makes it a prepared statement of its connection. */
export interface PgQuery {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** One connection, taken from a pool. */
export interface PgClient {
  query(query: PgQuery): Promise<PgResult>;
  /** Gives the connection back; with `true` it is closed instead. */
  release(destroy?: boolean): void;
  /** Only `watch` needs the two listeners. */
  on?(
    event: "notification" | "error" | "end",
    listener: (argument: PgNotification) => void,
  ): unknown;
  removeListener?(
    event: "notification" | "error" | "end",
    listener: (argument: PgNotification) => void,
  ): unknown;
}

/** A message of `NOTIFY`. */
export interface PgNotification {
  readonly channel?: string | undefined;
  readonly payload?: string | undefined;
}

/**
 * The part of `pg`'s `Pool` that is used, so that any compatible pool fits. It is never ended by the backend that was
 * given it.
 */
export interface PgPool {
  query(query: PgQuery): Promise<PgResult>;
  connect(): Promise<PgClient>;
  /** `true` once the pool is being ended, which also ends what `watch` tells. */
  readonly ending?: boolean;
  /** `true` for a driver that drops a byte order mark from the start of every text, which then is asked for twice. */
  readonly dropsByteOrderMark?: boolean;
}
