import {
  CHANGE_GRACE_MS,
  outcomeUnknown,
  type Wait,
  type WaitEnd,
  waitFor,
} from "@fs/protocol/async";
import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import { databaseError, isConnectionLoss } from "./database-error.js";
import type { PgClient, PgPool, PgQuery } from "./pool.js";

/** A row whose columns all came as text, or are null: what a statement here selects. */
export type Row = Readonly<Record<string, string | null>>;

/** How long the parts of a call may take, in milliseconds. */
export interface TimeLimits {
  /** To get a connection. */
  readonly connectTimeoutMs: number;
  /** To get the answer of a statement, or of a whole transaction. */
  readonly callTimeoutMs: number;
}

/** What the loss of a statement's answer means: nothing was to change, nothing has changed, or nobody knows. */
export type Effect = "read" | "undone" | "unknown";

/**
 * The one place where connections are taken from the pool. Each has a listener of errors while it is in use, each wait has
 * an end, and each connection is given back: closed when it is broken, or still busy with what nobody waits for.
 */
export class Connections {
  readonly #open: () => Promise<PgPool>;
  readonly limits: TimeLimits;

  constructor(open: () => Promise<PgPool>, limits: TimeLimits) {
    this.#open = open;
    this.limits = limits;
  }

  /** Opens the pool, where it is not open yet. */
  async pool(): Promise<PgPool> {
    return this.#open();
  }

  /** Takes a connection. Throws `unavailable` or `aborted` when none is free in time: nothing has happened then. */
  async take({ signal }: VolumeCall): Promise<Connection> {
    const taking = this.#open().then(async (pool) => {
      listenToClients(pool);
      return pool.connect();
    });
    const wait = { signal, timeoutMs: this.limits.connectTimeoutMs };
    try {
      const client = await waitFor(taking, wait, (why) => {
        // Also one that came just now: what is given up has no other reader, and a pool loses what nobody gives back.
        taking.then(
          (late) => late.release(),
          () => undefined,
        );
        return noConnection(why);
      });
      return new Connection(client);
    } catch (error) {
      throw databaseError(error);
    }
  }
}

const knownPools = new WeakSet<PgPool>();
const lostClients = new WeakSet<PgClient>();

/**
 * An error of a connection may come in the very packet that hands it over, before its taker has a listener: so each has
 * one from the moment the pool opens it.
 */
function listenToClients(pool: PgPool): void {
  if (knownPools.has(pool)) return;
  knownPools.add(pool);
  pool.on?.("connect", (client) => client.on?.("error", () => lostClients.add(client)));
}

/** A connection in use. */
export class Connection {
  readonly client: PgClient;
  #answer: Promise<unknown> = Promise.resolve();
  #state: "idle" | "busy" | "lost" = "idle";

  constructor(client: PgClient) {
    this.client = client;
    // Without a listener, an error between two statements ends the process. The next statement reports it.
    client.on?.("error", this.#onError);
  }

  /** `"busy"` while a statement is under way, also one that is no longer waited for; `"lost"` when nothing can be sent. */
  get state(): "idle" | "busy" | "lost" {
    return lostClients.has(this.client) ? "lost" : this.#state;
  }

  /** Sends one statement. Rejects with the driver's error, or with a VolumeError when no answer came. */
  async send(query: PgQuery, wait: Wait, effect: Effect): Promise<readonly Row[]> {
    if (this.state === "lost") throw lost(undefined, effect === "unknown" ? "undone" : effect);
    this.#state = "busy";
    const answer = this.client.query(query).then(
      ({ rows }) => {
        this.#state = "idle";
        return rows as readonly Row[];
      },
      (error: unknown) => {
        if (!isConnectionLoss(error)) {
          this.#state = "idle";
          throw error;
        }
        this.#state = "lost";
        throw lost(error, effect);
      },
    );
    this.#answer = answer;
    const graceMs = effect === "unknown" ? CHANGE_GRACE_MS : 0;
    return waitFor(answer, { ...wait, graceMs }, (why) => noAnswer(why, effect));
  }

  /** Gives the connection back to its pool; closes it when it is lost, or busy with what is not waited for. */
  release(): void {
    this.#give(this.state !== "idle");
  }

  /** Closes the connection although nothing is wrong with it. */
  close(): void {
    this.#give(true);
  }

  readonly #onError = (): void => {
    lostClients.add(this.client);
  };

  #give(close: boolean): void {
    // The listener of a closed connection stays: it may report more than one error.
    if (!close) this.client.removeListener?.("error", this.#onError);
    this.client.release(close);
  }

  /** Waits at most so long for a statement whose caller has gone, then releases. It changes nothing any more after that. */
  async settle(timeoutMs: number): Promise<void> {
    try {
      await waitFor(this.#answer, { timeoutMs }, (why) => outcomeUnknown(why));
    } catch {
      // The caller was told that the outcome is unknown; what it turns out to be has no reader.
    }
    this.release();
  }
}

function noConnection(why: WaitEnd): VolumeError {
  if (why === "aborted") return new VolumeError("aborted");
  return new VolumeError(
    "unavailable",
    "No connection to the database became free in time. Nothing was changed; try again later.",
  );
}

function noAnswer(why: WaitEnd, effect: Effect): VolumeError {
  if (effect === "unknown") return outcomeUnknown(why);
  if (why === "aborted") return new VolumeError("aborted");
  if (effect === "read")
    return new VolumeError("timeout", "The database did not answer in time. Try again later.");
  return new VolumeError(
    "unavailable",
    "The database did not answer in time. Nothing was changed; try again later.",
  );
}

function lost(cause: unknown, effect: Effect): VolumeError {
  if (effect === "unknown") return outcomeUnknown("lost", cause);
  const rest = effect === "read" ? "Try again later." : "Nothing was changed; try again later.";
  return new VolumeError("unavailable", `The connection to the database was lost. ${rest}`, {
    cause,
  });
}
