import { ancestorsOf, prefixOf, VolumeError, type VolumeCall } from "@fs/protocol/author";
import { isMediaPath } from "@fs/protocol/hooks";
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
  const [row] = await files.database.change(
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
    { signal: options.signal, paths: [from, to] },
  );
  if (row?.["found"] !== "yes") return undefined;
  refuse(row);
  if (row["stored"] !== "yes") throw new VolumeError("already_exists");
  return true;
}

/** Times a move over a file is sent again when another file came to the destination meanwhile. */
const MAX_ROUNDS = 8;

/** Moves one file: as {@link copyFile}, and the source is gone in the same statement. */
export async function moveFile(
  files: FilesTable,
  from: string,
  to: string,
  options: { overwrite: boolean } & VolumeCall,
): Promise<true | undefined> {
  if (isMediaPath(from) !== isMediaPath(to)) return undefined;
  for (let round = 1; ; round++) {
    try {
      return await moveOnce(files, from, to, options);
    } catch (error) {
      const rival = VolumeError.isInstance(error) && error.code === "already_exists";
      if (!rival || !options.overwrite || round === MAX_ROUNDS) throw error;
    }
  }
}

async function moveOnce(
  files: FilesTable,
  from: string,
  to: string,
  options: { overwrite: boolean } & VolumeCall,
): Promise<true | undefined> {
  const { names } = files;
  const types = mimeTypes(to);
  // Only the key changes: large content stays where it is. What is replaced goes before the key is taken.
  const [row] = await files.database.change(
    `with guard as materialized (select ${guardCall(files)} as refusal),
      source as materialized (
        select path from ${names.table} where namespace = $1 and path = $7 for update
      ),
      replaced as (
        delete from ${names.table} where namespace = $1 and path = $2 and $11::boolean
          and (select refusal from guard) is null and exists (select 1 from source)
        returning 1
      ),
      moved as (
        update ${names.table} f set path = $2, long_path = $8::text, version = default,
          mime_type = case when f.content is null then $9::text else $10::text end
        from source, (select count(*) from replaced) r
        where f.namespace = $1 and f.path = source.path and (select refusal from guard) is null
        returning 1
      )
      select refusal, (select 'yes' from source) as found, (select 'yes' from moved) as moved from guard`,
    [
      ...guardValues(files, to),
      pathKey(from),
      isLongPath(to) ? to : null,
      types.binary,
      types.text,
      options.overwrite,
    ],
    { signal: options.signal, paths: [from, to] },
  );
  if (row?.["found"] !== "yes") return undefined;
  refuse(row);
  return row["moved"] === "yes" ? true : undefined;
}

/** Moves or copies a directory to where nothing is, in one statement. Declines paths that are not their own key. */
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
  const target = "$2::text || substr(path, $7::integer)";
  const within = "namespace = $1 and path >= $4 and path < $5";
  const allowed = "(select allowed from checked)";
  const relocated =
    kind === "move"
      ? `update ${names.table} set path = ${target}, version = default where ${within} and ${allowed} returning 1`
      : `insert into ${names.table} (namespace, path, content, bytes, mime_type)
          select namespace, ${target}, content, bytes, mime_type from ${names.table}
          where ${within} and ${allowed} returning 1`;
  const [row] = await files.database.change(
    `with guard as materialized (select * from ${names.guardMany}($1::text, $2::text, $3::text)),
      checked as materialized (
        select directories, files, too_long, directories is null and files is null and not too_long as allowed
        from guard, (select exists (
          select 1 from ${names.table} where ${within}
            and (long_path is not null or octet_length(path) + $6::integer > ${MAX_PLAIN_PATH_BYTES})
        ) as too_long) l
      ),
      relocated as (${relocated})
      select directories, files, too_long::text as too_long,
        (select count(*) from relocated)::text as count from checked`,
    [namespace, to, [...ancestorsOf(to), to].join("\n"), range.from, range.to, growth, cut],
    { signal: call.signal, paths: [from, to] },
  );
  const above = typeof row?.["files"] === "string" ? row["files"].split("\n") : [];
  if (above.some((path) => path !== to)) throw new VolumeError("not_directory");
  if (above.length > 0 || typeof row?.["directories"] === "string")
    throw new VolumeError("already_exists");
  return row?.["too_long"] === "true" ? undefined : Number(row?.["count"]);
}

function replacing(overwrite: boolean): string {
  if (!overwrite) return "do nothing";
  return `do update set content = excluded.content, bytes = excluded.bytes,
    mime_type = excluded.mime_type, version = excluded.version, modified_at = excluded.modified_at`;
}
