import { VolumeError } from "@fs/protocol/volume";
import type { Database } from "./database.js";
import type { PgClient, PgNotification } from "./pool.js";
import { quoteName, quoteText, type TableNames } from "./table-names.js";

/** A file that somebody changed. */
export interface FileChange {
  /** Canonical path; absent when the path is too long to be told (over 1,900 bytes). */
  readonly path?: string;
  readonly kind: "written" | "removed";
}

/** The statements that make every committed change known to listeners. */
export function createNotifications(names: TableNames): string[] {
  return [
    `create or replace function ${names.notify}() returns trigger language plpgsql as $body$
    begin
      if tg_op <> 'INSERT' and (tg_op = 'DELETE' or old.path <> new.path) then
        perform pg_notify(${quoteText(names.channel)}, json_build_array(old.namespace,
          case when old.long_path is null then old.path end, 'removed')::text);
      end if;
      if tg_op <> 'DELETE' then
        perform pg_notify(${quoteText(names.channel)}, json_build_array(new.namespace,
          case when new.long_path is null then new.path end, 'written')::text);
      end if;
      return null;
    end $body$`,
    `create or replace trigger ${names.trigger} after insert or update or delete on ${names.table}
      for each row execute function ${names.notify}()`,
  ];
}

/** The changes of one namespace, from the moment the iterator is first asked until the signal fires. */
export async function* watchChanges(
  database: Database,
  names: TableNames,
  namespace: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<FileChange> {
  const client = await database.connect();
  if (client.on === undefined || client.removeListener === undefined) {
    client.release();
    throw new VolumeError(
      "unsupported",
      "This pool's connections cannot listen for notifications.",
    );
  }
  const inbox = new Inbox();
  const receive = ({ channel, payload }: PgNotification): void => {
    if (channel !== names.channel || payload === undefined) return;
    const change = changeOf(payload, namespace);
    if (change !== undefined) inbox.push(change);
  };
  const lost = (): void => inbox.end(new VolumeError("unavailable"));
  const stop = (): void => inbox.end(undefined);
  client.on("notification", receive);
  client.on("error", lost);
  client.on("end", lost);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();
  let healthy = false;
  try {
    await client.query({ text: `listen ${quoteName(names.channel)}` });
    healthy = true;
    yield* inbox.changes();
  } finally {
    signal?.removeEventListener("abort", stop);
    client.removeListener("notification", receive);
    client.removeListener("error", lost);
    client.removeListener("end", lost);
    await stopListening(client, names, healthy);
  }
}

async function stopListening(client: PgClient, names: TableNames, healthy: boolean): Promise<void> {
  let broken = !healthy;
  if (healthy) {
    await client.query({ text: `unlisten ${quoteName(names.channel)}` }).catch(() => {
      broken = true;
    });
  }
  client.release(broken);
}

function changeOf(payload: string, namespace: string): FileChange | undefined {
  const parsed: unknown = JSON.parse(payload);
  if (!Array.isArray(parsed) || parsed[0] !== namespace) return undefined;
  const [, path, kind] = parsed as unknown[];
  if (kind !== "written" && kind !== "removed") return undefined;
  return typeof path === "string" ? { path, kind } : { kind };
}

/** Changes that arrived and were not yet taken. */
class Inbox {
  readonly #waiting: FileChange[] = [];
  #ended: { error: VolumeError | undefined } | undefined;
  #wake: () => void = () => undefined;

  push(change: FileChange): void {
    this.#waiting.push(change);
    this.#wake();
  }

  end(error: VolumeError | undefined): void {
    this.#ended ??= { error };
    this.#wake();
  }

  async *changes(): AsyncGenerator<FileChange> {
    for (;;) {
      yield* this.#waiting.splice(0);
      if (this.#ended?.error !== undefined) throw this.#ended.error;
      if (this.#ended !== undefined) return;
      if (this.#waiting.length > 0) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
