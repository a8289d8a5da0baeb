import { isMediaPath, prefixOf, VolumeError, type VolumeCall } from "@fs/protocol/author";
import { mimeTypes } from "./file-row.js";
import type { FilesTable } from "./files-table.js";
import { isLongPath, keysBelow, MAX_PLAIN_PATH_BYTES, pathKey } from "./path-key.js";
import { guardCall, guardValues, refuse } from "./put-file.js";

/**
 * Copies one file without its content leaving the server. Declines a missing source, and a destination whose extension
 * changes what counts as text.
 */
export async function copyFile(
  files: FilesTable,
  from: string,
  to: string,
  options: { overwrite: boolean } & VolumeCall,
): Promise<true | undefined> {
  if (isMediaPath(from) !== isMediaPath(to)) return undefined;
  const { names } = files;
  const types = mimeTypes(to);
  const [row] = await files.database.run(
    `with guard as materialized (select ${guardCall(files)} as refusal),
      source as materialized (
        select content, bytes from ${names.table} where namespace = $1 and path = $7 for share
      ),
      stored as (
        insert into ${names.table} (namespace, path, long_path, content, bytes, mime_type)
        select $1, $2, $8::text, content, bytes, case when content is null then $9::text else $10::text end
        from guard, source where refusal is null
        on conflict (namespace, path) ${replacing(options.overwrite)}
        returning 1
      )
      select refusal, (select 'yes' from source) as found, (select 'yes' from stored) as stored from guard`,
    [
      ...guardValues(files, to),
      pathKey(from),
      isLongPath(to) ? to : null,
      types.binary,
      types.text,
    ],
    options,
  );
  if (row?.["found"] !== "yes") return undefined;
  refuse(row);
  if (row["stored"] !== "yes") throw new VolumeError("already_exists");
  return true;
}

/** Moves one file: as {@link copyFile}, and the source is gone in the same transaction. */
export async function moveFile(
  files: FilesTable,
  from: string,
  to: string,
  options: { overwrite: boolean } & VolumeCall,
): Promise<true | undefined> {
  if (isMediaPath(from) !== isMediaPath(to)) return undefined;
  const { names } = files;
  const types = mimeTypes(to);
  return files.database.transaction(options, async (send) => {
    const [source] = await send(
      `select 'yes' as found from ${names.table} where namespace = $1 and path = $2 for update`,
      [files.namespace, pathKey(from)],
    );
    if (source === undefined) return undefined;
    const [guarded] = await send(`select ${guardCall(files)} as refusal`, guardValues(files, to));
    refuse(guarded);
    if (options.overwrite) {
      await send(`delete from ${names.table} where namespace = $1 and path = $2`, [
        files.namespace,
        pathKey(to),
      ]);
    }
    // Only the key changes: large content stays where it is.
    await send(
      `update ${names.table} set path = $3, long_path = $4, version = default,
        mime_type = case when content is null then $5::text else $6::text end
        where namespace = $1 and path = $2`,
      [
        files.namespace,
        pathKey(from),
        pathKey(to),
        isLongPath(to) ? to : null,
        types.binary,
        types.text,
      ],
    );
    return true;
  });
}

/** Moves or copies a directory to where nothing stands, as one transaction. Declines paths that are not their own key. */
export async function relocateTree(
  files: FilesTable,
  kind: "move" | "copy",
  from: string,
  to: string,
  call: VolumeCall,
): Promise<number | undefined> {
  const { names, namespace } = files;
  if (isLongPath(from) || isLongPath(to)) return undefined;
  const range = keysBelow(from);
  const growth = Buffer.byteLength(to) - Buffer.byteLength(from);
  const cut = Array.from(prefixOf(from)).length;
  return files.database.transaction(call, async (send) => {
    const [guarded] = await send(
      `select exists (select 1 from ${names.table} where namespace = $1 and path = $2)::text as file,
        (directories is not null)::text as directory, (files is not null)::text as below
        from ${names.guardMany}($1::text, $2::text, $3::text)`,
      [namespace, to, guardValues(files, to)[2]],
    );
    if (guarded?.["below"] === "true") throw new VolumeError("not_directory");
    if (guarded?.["file"] === "true" || guarded?.["directory"] === "true")
      throw new VolumeError("already_exists");
    const [long] = await send(
      `select 1 from ${names.table} where namespace = $1 and path >= $2 and path < $3
        and (long_path is not null or octet_length(path) + $4::integer > ${MAX_PLAIN_PATH_BYTES}) limit 1`,
      [namespace, range.from, range.to, growth],
    );
    if (long !== undefined) return undefined;
    const target = "$4::text || substr(path, $5::integer)";
    const text =
      kind === "move"
        ? `update ${names.table} set path = ${target}, version = default
            where namespace = $1 and path >= $2 and path < $3 returning 1`
        : `insert into ${names.table} (namespace, path, content, bytes, mime_type)
            select namespace, ${target}, content, bytes, mime_type from ${names.table}
            where namespace = $1 and path >= $2 and path < $3 returning 1`;
    const [counted] = await send(
      `with relocated as (${text}) select count(*)::text as count from relocated`,
      [namespace, range.from, range.to, to, cut],
    );
    return Number(counted?.["count"]);
  });
}

function replacing(overwrite: boolean): string {
  if (!overwrite) return "do nothing";
  return `do update set content = excluded.content, bytes = excluded.bytes,
    mime_type = excluded.mime_type, version = excluded.version, modified_at = excluded.modified_at`;
}
