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
  /** Listens for the loss of the connection, and for `watch` to messages. Without it there is no `watch`. */
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
  connect(): Promise<PgClient>;
  /** Reports each new connection, so that its errors have a listener from the start. */
  on?(event: "connect", listener: (client: PgClient) => void): unknown;
  /** Of the settings, how many connections the pool may have: `watch` never takes the last one. */
  readonly options?: { readonly max?: number | undefined };
  /** `true` once the pool is being ended, which also ends what `watch` reports. */
  readonly ending?: boolean;
  /** `true` for a driver that drops a byte order mark from the start of every text, which then is asked for twice. */
  readonly dropsByteOrderMark?: boolean;
}
