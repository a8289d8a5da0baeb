import { setTimeout as delay } from "node:timers/promises";
import { type ChangeQueue, waitFor } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";
import {
  isClusterClient,
  type RedisClient,
  type RedisClusterClient,
  type RedisSubscriber,
} from "./client.js";
import { coded } from "./errors.js";

/** Milliseconds between two looks for a node that answers, at most. */
const MAX_PAUSE = 1000;

/** Tells a queue what is announced in a channel, over a connection of its own that ends with it. Throws a VolumeError. */
export async function listen(
  client: RedisClient,
  channel: string,
  changes: ChangeQueue,
  timeoutMs: number,
): Promise<void> {
  try {
    if (isClusterClient(client)) await listenToCluster(client, channel, changes, timeoutMs);
    else await attach(client.duplicate(), { channel, changes, timeoutMs }, () => changes.end());
  } catch (error) {
    throw coded(error, "read");
  }
}

/** What a connection listens to, for whom, and how long it may take until it does. */
interface Subscription {
  readonly channel: string;
  readonly changes: ChangeQueue;
  readonly timeoutMs: number;
}

/** Subscribes, and again whenever the client has connected again. Throws when the connection ends before. */
async function attach(
  subscriber: RedisSubscriber,
  { channel, changes, timeoutMs }: Subscription,
  onGivenUp: () => void,
): Promise<void> {
  let attached = false;
  let ended = false;
  // Commands report their own failures; without a listener ioredis prints to the console.
  subscriber.on("error", () => undefined);
  const forget = changes.onEnd(() => subscriber.disconnect());
  subscriber.on("message", (_channel: string, message: string) => receive(message, changes));
  // It may end at any time, also before the subscription is answered.
  subscriber.on("end", () => {
    ended = true;
    forget();
    if (attached) onGivenUp();
  });
  try {
    await waitFor(subscriber.subscribe(channel), { timeoutMs }, silent);
    if (ended) throw new VolumeError("unavailable");
  } catch (error) {
    forget();
    subscriber.disconnect();
    throw error;
  }
  attached = true;
  // A client that has not connected yet may do so after it was told not to.
  if (changes.ended) return subscriber.disconnect();
  subscriber.on("ready", () => void reattach(subscriber, channel, changes));
}

/** The client subscribes again by itself, and tells nobody when that is done: before, a change may still go unheard. */
async function reattach(
  subscriber: RedisSubscriber,
  channel: string,
  changes: ChangeQueue,
): Promise<void> {
  try {
    await subscriber.subscribe(channel);
    changes.missed();
  } catch (error) {
    // When the connection was lost once more, the next one tries again.
    if (coded(error, "read").code !== "unavailable") changes.end();
  }
}

/**
 * Every node of a cluster passes on what any was told. A cluster client moves its subscriptions from a lost node to another
 * without a word, so the connection is to a node of our own choice.
 */
async function listenToCluster(
  client: RedisClusterClient,
  channel: string,
  changes: ChangeQueue,
  timeoutMs: number,
): Promise<void> {
  const moveOn = async (): Promise<void> => {
    for (let tries = 1; !changes.ended; tries++) {
      if (client.status === "end") return changes.end();
      try {
        await attach(nodeOf(client), { channel, changes, timeoutMs }, () => void moveOn());
        return changes.missed();
      } catch (error) {
        if (coded(error, "read").code !== "unavailable") return changes.end();
        await delay(Math.min(tries * 50, MAX_PAUSE));
      }
    }
  };
  // The connection to a node is our own, and would go on after the client has ended.
  const end = (): void => changes.end();
  client.on("end", end);
  changes.onEnd(() => client.removeListener("end", end));
  // A cluster client knows its nodes once it has sent a command.
  await waitFor(client.exists(channel), { timeoutMs }, silent);
  await attach(nodeOf(client), { channel, changes, timeoutMs }, () => void moveOn());
}

function silent(): VolumeError {
  return new VolumeError("unavailable", "The server did not answer in time. Try again later.");
}

function nodeOf(client: RedisClusterClient): RedisSubscriber {
  const nodes = client.nodes("all");
  const node = nodes[Math.floor(Math.random() * nodes.length)];
  if (node === undefined) throw new VolumeError("unavailable");
  return node.duplicate({ retryStrategy: () => null });
}

function receive(message: string, changes: ChangeQueue): void {
  const cut = message.indexOf(" ");
  const type = message.slice(0, cut);
  if (type !== "created" && type !== "changed" && type !== "deleted") return;
  changes.add({ type, path: message.slice(cut + 1) });
}
