import { setTimeout as delay } from "node:timers/promises";
import type { ChangeQueue } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";
import type { Connection } from "./connections.js";
import type { Database } from "./database.js";
import { databaseError } from "./database-error.js";
import { changeOf, FIND_TRIGGER } from "./notifications.js";
import type { PgClient, PgNotification, PgPool } from "./pool.js";
import { quoteName, type TableNames } from "./table-names.js";

/** Milliseconds between two tries to listen again, at most. */
const MAX_PAUSE = 1000;

/** Connections of each pool that listen: at least one must be left for everything else. */
const listening = new WeakMap<PgPool, number>();

/** Whose changes are listened to. */
export interface Watched {
  readonly database: Database;
  readonly names: TableNames;
  /** Its key. */
  readonly namespace: string;
}

/** Adds changes to a queue over a connection of its own, and over another when that is lost. Throws a VolumeError. */
export async function listen(watched: Watched, changes: ChangeQueue): Promise<void> {
  const listenAgain = async (): Promise<void> => {
    for (let tries = 1; !changes.ended; tries++) {
      try {
        if ((await watched.database.connections.pool()).ending === true) return changes.end();
        await listenOnce(watched, changes, () => void listenAgain());
        return changes.missed();
      } catch (error) {
        // What is not an outage does not pass.
        if (databaseError(error).code !== "unavailable") return changes.end();
        await delay(Math.min(tries * 50, MAX_PAUSE));
      }
    }
  };
  await listenOnce(watched, changes, () => void listenAgain());
}

async function listenOnce(
  watched: Watched,
  changes: ChangeQueue,
  onLost: () => void,
): Promise<void> {
  const giveUp = new AbortController();
  const forget = changes.onEnd(() => giveUp.abort());
  const pool = await watched.database.connections.pool();
  reserve(pool);
  let connection: Connection | undefined;
  try {
    connection = await watched.database.connections.take(giveUp);
    await subscribe(watched, connection, changes, () => {
      unreserve(pool);
      onLost();
    });
  } catch (error) {
    unreserve(pool);
    connection?.close();
    if (!changes.ended) throw databaseError(error);
  } finally {
    forget();
  }
}

/** Listens until the changes end or the connection is lost, which is then closed. */
async function subscribe(
  { database, names, namespace }: Watched,
  connection: Connection,
  changes: ChangeQueue,
  onLost: () => void,
): Promise<void> {
  const { client } = connection;
  if (!canListen(client))
    throw new VolumeError("unsupported", "The connections of this pool cannot listen for changes.");
  const receive = ({ channel, payload }: PgNotification): void => {
    if (channel !== names.channel || payload === undefined) return;
    const change = changeOf(payload, namespace);
    if (change !== undefined) changes.add(change);
  };
  let open = true;
  let answered = false;
  const end = (): void => {
    if (!open) return;
    open = false;
    forget();
    client.removeListener("notification", receive);
    if (!answered) return;
    // Closed rather than given back: it still listens, or is broken.
    connection.close();
    onLost();
  };
  const forget = changes.onEnd(end);
  client.on("notification", receive);
  client.on("error", end);
  client.on("end", end);
  const wait = { timeoutMs: database.connections.limits.callTimeoutMs };
  await connection.send({ text: `listen ${quoteName(names.channel)}` }, wait, "read");
  const query = { text: FIND_TRIGGER, values: [names.table, names.notify] };
  const triggers = await connection.send(query, wait, "read");
  if (triggers.length === 0)
    throw new VolumeError(
      "unsupported",
      "No trigger reports changes of this table. Run 'await backend.setup({ watch: true })' once.",
    );
  if (!open) throw new VolumeError("unavailable");
  answered = true;
}

/** Throws `unsupported` when the pool would have no connection left for anything else. */
function reserve(pool: PgPool): void {
  const taken = listening.get(pool) ?? 0;
  const max = pool.options?.max;
  if (max !== undefined && taken + 1 >= max)
    throw new VolumeError(
      "unsupported",
      `A watcher keeps a connection, and this pool has ${max} with ${taken} in use by watchers. Give it a larger 'max'.`,
    );
  listening.set(pool, taken + 1);
}

function unreserve(pool: PgPool): void {
  listening.set(pool, (listening.get(pool) ?? 1) - 1);
}

type ListeningClient = PgClient & Required<Pick<PgClient, "on" | "removeListener">>;

function canListen(client: PgClient): client is ListeningClient {
  return client.on !== undefined && client.removeListener !== undefined;
}
