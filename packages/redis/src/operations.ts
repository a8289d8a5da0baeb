import { randomBytes } from "node:crypto";
import { type VolumeCall, VolumeError } from "@fs/protocol/author";
import { waitFor } from "@fs/protocol/async";
import type { CommandArgument } from "./client.js";
import type { Connection } from "./connection.js";
import type { NamespaceKeys } from "./keyspace.js";
import { HEAL, REGISTER } from "./lua/log-scripts.js";
import { buffersOf, statusOf } from "./replies.js";
import type { Script } from "./script.js";

/** Milliseconds after which the log of a namespace forgets a client that has changed nothing: an hour. */
const FORGOTTEN_AFTER = 3_600_000;
/** Fields of the log that a registration looks at. */
const LOG_SLICE = 200;
/** Fields that a slice of healing looks at first, and at most. */
const HEAL_FIELDS = 16;
const MAX_HEAL_FIELDS = 1000;
/** Bytes of content that a slice of healing passes over: the server copies them. */
const HEAL_BYTES = 1024 * 1024;

/**
 * The mutations of one client of a namespace: numbered, so that the server recognises one that is sent again, for as long
 * as it waits for an answer.
 */
export class Operations {
  readonly #connection: Connection;
  readonly #keys: NamespaceKeys;
  readonly #ttl: number;
  #client: Client | undefined;
  #registering: Promise<Client> | undefined;

  /** @param ttl Milliseconds after the last change at which the namespace expires; 0 for never. */
  constructor(connection: Connection, keys: NamespaceKeys, ttl: number) {
    this.#connection = connection;
    this.#keys = keys;
    this.#ttl = ttl;
  }

  /** Runs a mutation, and gives its reply: `ok`, or what else its script answers. */
  async run(
    script: Script,
    args: readonly CommandArgument[],
    call: VolumeCall,
  ): Promise<Array<Buffer | undefined>> {
    const [outcome] = await this.runAll(script, [args], call);
    if (outcome?.status === "fulfilled") return outcome.value;
    throw outcome?.reason;
  }

  /** Runs many mutations in one round trip, each on its own; replies in order. */
  async runAll(
    script: Script,
    all: ReadonlyArray<readonly CommandArgument[]>,
    call: VolumeCall,
  ): Promise<Array<PromiseSettledResult<Array<Buffer | undefined>>>> {
    const client = await this.#registered(call);
    const numbers = all.map(() => client.begin());
    const send = async (
      indexes: readonly number[],
    ): Promise<Array<PromiseSettledResult<Array<Buffer | undefined>>>> => {
      const calls = indexes.map((index) => {
        const head = [client.name, numbers[index] ?? 0, client.lowest, this.#ttl];
        return [script, [...head, ...(all[index] ?? [])]] as const;
      });
      return this.#connection.changeAll(this.#keys, calls, call);
    };
    try {
      const outcomes = await send([...all.keys()]);
      const lost = indexesOf(outcomes, "heal");
      if (lost.length > 0) {
        await this.#heal(call);
        for (const [at, outcome] of (await send(lost)).entries()) outcomes[lost[at] ?? 0] = outcome;
      }
      return outcomes.map((outcome) => this.#known(client, outcome));
    } finally {
      for (const number of numbers) client.end(number);
    }
  }

  /** Refuses to guess where the server cannot tell a repetition. */
  #known(
    client: Client,
    outcome: PromiseSettledResult<Array<Buffer | undefined>>,
  ): PromiseSettledResult<Array<Buffer | undefined>> {
    if (outcome.status === "rejected") return outcome;
    const status = statusOf(outcome.value);
    if (status !== "stranger" && status !== "stale" && status !== "heal") return outcome;
    if (this.#client === client) this.#client = undefined;
    const reason = new VolumeError(
      "unavailable",
      "The server does not remember this client. The change may or may not have been stored: look before you repeat it.",
    );
    return { status: "rejected", reason };
  }

  /** This client as the server knows it: registered at first, and anew before the server forgets it. */
  async #registered({ signal }: VolumeCall): Promise<Client> {
    const known = this.#client;
    if (known?.isFresh() === true) return known;
    // Calls that come together register once; the signal of one ends its own wait alone.
    this.#registering ??= this.#register().finally(() => (this.#registering = undefined));
    const wait = { signal, timeoutMs: Infinity };
    return waitFor(this.#registering, wait, () => new VolumeError("aborted"));
  }

  async #register(): Promise<Client> {
    const client = new Client();
    const args = [client.name, FORGOTTEN_AFTER, LOG_SLICE, this.#ttl];
    await this.#connection.run(REGISTER, this.#keys, args, {});
    this.#client = client;
    return client;
  }

  /** Makes the index of paths again, a few milliseconds at a time. */
  async #heal(call: VolumeCall): Promise<void> {
    const keys = [...this.#keys, `${this.#keys[1]}:healing`];
    for (let fields = HEAL_FIELDS; ;) {
      const reply = buffersOf(await this.#connection.run(HEAL, keys, [fields], call));
      if (statusOf(reply) === "done") return;
      const each = Number(reply[1]?.toString()) / fields;
      fields = Math.max(2, Math.min(MAX_HEAL_FIELDS, 2 * fields, Math.floor(HEAL_BYTES / each)));
    }
  }
}

/** A client under one name: its mutations are numbered from 1. */
class Client {
  readonly name = randomBytes(9).toString("base64url");
  readonly #waiting = new Set<number>();
  #last = 0;
  #seen = performance.now();

  /** The lowest number that waits for an answer. */
  get lowest(): number {
    const [first = this.#last + 1] = this.#waiting;
    return first;
  }

  isFresh(): boolean {
    return performance.now() - this.#seen < FORGOTTEN_AFTER / 2;
  }

  begin(): number {
    this.#waiting.add(++this.#last);
    return this.#last;
  }

  end(number: number): void {
    this.#waiting.delete(number);
    this.#seen = performance.now();
  }
}

function indexesOf(
  outcomes: ReadonlyArray<PromiseSettledResult<Array<Buffer | undefined>>>,
  status: string,
): number[] {
  const indexes: number[] = [];
  for (const [index, outcome] of outcomes.entries())
    if (outcome.status === "fulfilled" && statusOf(outcome.value) === status) indexes.push(index);
  return indexes;
}
