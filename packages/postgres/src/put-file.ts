import { ancestorsOf, type PutCondition, VolumeError } from "@fs/protocol/author";
import type { Row } from "./database.js";
import { storedContent, versionParameter } from "./file-row.js";
import type { FilesTable } from "./files-table.js";
import { isLongPath, keysBelow, pathKey } from "./path-key.js";

/** Stores a whole file in one statement. Throws `already_exists`, `conflict`, `is_directory`, `not_directory`. */
export async function putFile(
  files: FilesTable,
  path: string,
  bytes: Uint8Array,
  condition: PutCondition,
): Promise<{ version: string }> {
  const { database, names, namespace } = files;
  const { content, bytes: binary, mimeType } = storedContent(path, bytes);
  const change = { signal: condition.signal, paths: [path] };
  if (condition.ifVersion !== undefined) {
    const [row] = await database.change(
      `update ${names.table}
        set content = $3, bytes = $4, mime_type = $5, version = default, modified_at = clock_timestamp()
        where namespace = $1 and path = $2 and version::text = $6
        returning version::text as version`,
      [namespace, pathKey(path), content, binary, mimeType, versionParameter(condition.ifVersion)],
      change,
    );
    if (row === undefined) throw new VolumeError("conflict");
    return { version: row["version"] ?? "" };
  }
  const guard = guardValues(files, path);
  const parameter = (index: number): string => `$${guard.length + index}`;
  const conflict =
    condition.ifAbsent === true
      ? "do nothing"
      : `do update set content = excluded.content, bytes = excluded.bytes,
          mime_type = excluded.mime_type, version = excluded.version, modified_at = excluded.modified_at`;
  const [row] = await database.change(
    `with guard as materialized (select ${guardCall(files)} as refusal),
      stored as (
        insert into ${names.table} (namespace, path, long_path, content, bytes, mime_type)
        select $1, $2, ${parameter(1)}, ${parameter(2)}, ${parameter(3)}, ${parameter(4)}
        from guard where refusal is null
        on conflict (namespace, path) ${conflict}
        returning version::text as version
      )
      select refusal, (select version from stored) as version from guard`,
    [...guard, isLongPath(path) ? path : null, content, binary, mimeType],
    change,
  );
  refuse(row);
  if (typeof row?.["version"] !== "string") throw new VolumeError("already_exists");
  return { version: row["version"] };
}

/** The call of the guard with {@link guardValues} as the first values of a statement. */
export function guardCall({ names }: FilesTable): string {
  return `${names.guardOne}($1::text, $2::text, $3::text, $4::text, $5::text, $6::text)`;
}

/** Namespace, key, ancestors, and the keys below: what the guard looks at. */
export function guardValues({ namespace }: FilesTable, path: string): Array<string | null> {
  const below = keysBelow(path);
  const ancestors = ancestorsOf(path).map(pathKey).join("\n");
  return [namespace, pathKey(path), ancestors, below.from, below.to, below.prefix ?? null];
}

/** Throws what the guard refused. */
export function refuse(row: Row | undefined): void {
  const refusal = row?.["refusal"];
  if (refusal === "is_directory" || refusal === "not_directory") throw new VolumeError(refusal);
}
