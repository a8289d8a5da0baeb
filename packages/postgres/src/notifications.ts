import type { FileChange } from "@fs/protocol";
import { quoteText, type TableNames } from "./table-names.js";

/**
 * The statements that make every committed change known to listeners, as `TYPE VERSION PATH`, a line end, and the key of
 * the namespace. The version is there because of equal notifications of one transaction only the first is sent, so that a
 * file removed and made again would be told in the wrong order. At most 4,700 bytes of the 7,999 that the server takes.
 */
export function createNotifications(names: TableNames): string[] {
  return [
    `create or replace function ${names.notify}() returns trigger language plpgsql as $body$
    declare
      stays boolean := tg_op = 'UPDATE' and (old.namespace, old.path) = (new.namespace, new.path);
    begin
      if tg_op <> 'INSERT' and not stays then
        perform pg_notify(${quoteText(names.channel)}, 'deleted ' || old.version || ' '
          || coalesce(old.long_path, old.path) || E'\\n' || old.namespace);
      end if;
      if tg_op <> 'DELETE' then
        perform pg_notify(${quoteText(names.channel)}, case when stays then 'changed ' else 'created ' end
          || new.version || ' ' || coalesce(new.long_path, new.path) || E'\\n' || new.namespace);
      end if;
      return null;
    end $body$`,
    `create or replace trigger ${names.trigger} after insert or update or delete on ${names.table}
      for each row execute function ${names.notify}()`,
  ];
}

/** Asks whether the trigger is there, for the names of the table and of its function. */
export const FIND_TRIGGER = `select 1 from pg_trigger
  where tgrelid = to_regclass($1) and tgfoid = to_regproc($2) and tgenabled <> 'D'`;

/** A notification as a change; `undefined` for one of another namespace. */
export function changeOf(payload: string, namespace: string): FileChange | undefined {
  // No path holds a line end, but a namespace may.
  const end = payload.indexOf("\n");
  if (payload.slice(end + 1) !== namespace) return undefined;
  const parsed = /^(created|changed|deleted) \d+ (\/.*)$/.exec(payload.slice(0, end));
  const [, type, path] = parsed ?? [];
  if (path === undefined) return undefined;
  return { type: type as FileChange["type"], path };
}
