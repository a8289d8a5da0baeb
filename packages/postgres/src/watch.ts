import { setTimeout as delay } from "node:timers/promises";
import { type ChangeQueue, VolumeError } from "@fs/protocol/author";
import type { Database } from "./database.js";
import { databaseError } from "./database-error.js";
import { changeOf, FIND_TRIGGER } from "./notifications.js";
import type { PgClient, PgNotification } from "./pool.js";
import { quoteName, type TableNames } from "./table-names.js";

/** Milliseconds between two tries to listen again, at most. */
const MAX_PAUSE = 1000;

/** Whose changes are listened to. */
export interface Watched {
  readonly database: Database;
  readonly names: TableNames;
  /** Its key. */
  readonly namespace: string;
}

/** Tells a queue of changes over a connection of its own, and over another when that is lost. Throws a VolumeError. */
export async function listen(watched: Watched, changes: ChangeQueue): Promise<void> {
  const listenAgain = async (): Promise<void> => {
    for (let tries = 1; !changes.ended; tries++) {
      try {
        if (await watched.database.isEnding()) return changes.end();
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
  { database, names, namespace }: Watched,
  changes: ChangeQueue,
  onLost: () => void,
): Promise<void> {
  const client = await database.connect();
  if (changes.ended || !canListen(client)) {
    client.release();
    if (changes.ended) return;
    throw new VolumeError("unsupported", "The connections of this pool cannot listen for changes.");
  }
  let listening = false;
  let released = false;
  const receive = ({ channel, payload }: PgNotification): void => {
    if (channel !== names.channel || payload === undefined) return;
    const change = changeOf(payload, namespace);
    if (change !== undefined) changes.add(change);
  };
  const release = (): void => {
    if (released) return;
    released = true;
    forget();
    client.removeListener("notification", receive);
    // Closed rather than given back: it still listens, or is broken. Our listener of errors stays, for it may tell of more.
    client.release(true);
  };
  const lost = (): void => {
    if (released) return;
    release();
    if (listening) onLost();
  };
  const forget = changes.onEnd(release);
  client.on("notification", receive);
  client.on("error", lost);
  client.on("end", lost);
  try {
    await client.query({ text: `listen ${quoteName(names.channel)}` });
    await requireTrigger(client, names);
    listening = true;
  } catch (error) {
    release();
    throw databaseError(error);
  }
}

type ListeningClient = PgClient & Required<Pick<PgClient, "on" | "removeListener">>;

function canListen(client: PgClient): client is ListeningClient {
  return client.on !== undefined && client.removeListener !== undefined;
}

async function requireTrigger(client: PgClient, names: TableNames): Promise<void> {
  const { rows } = await client.query({ text: FIND_TRIGGER, values: [names.table, names.notify] });
  if (rows.length > 0) return;
  throw new VolumeError(
    "unsupported",
    "Nothing tells of changes here yet. Run 'await backend.setup({ watch: true })' once.",
  );
}
