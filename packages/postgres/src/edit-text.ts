import type { EditCondition, VolumeEdit } from "@fs/protocol/author";
import type { Replacement } from "@fs/protocol/hooks";
import { versionParameter } from "./file-row.js";
import type { FilesTable } from "./files-table.js";
import { pathKey } from "./path-key.js";

/** More replacements than this are applied by a compare-and-swap instead: each makes a step of the statement. */
const MAX_STEPS = 16;

/**
 * Counts, replaces and bumps the version in one statement that holds the row's lock, so that edits of any number of
 * clients apply one after another. Declines whatever does not simply apply: the generic path then finds the CRLF text or
 * explains the refusal.
 */
export async function editText(
  { database, names, namespace }: FilesTable,
  path: string,
  edits: readonly Replacement[],
  condition: EditCondition,
): Promise<VolumeEdit | undefined> {
  if (edits.length > MAX_STEPS || !edits.every(isPlain)) return undefined;
  const values: unknown[] = [
    namespace,
    pathKey(path),
    versionParameter(condition.ifVersion),
    limitOf(condition.maxBytes),
  ];
  const steps = edits.map((edit, index) => {
    values.push(edit.old, edit.new, edit.replaceAll);
    return step(index, values.length - 2);
  });
  const [row] = await database.change(
    `with step0 as materialized (
        select content, 0::bigint as total from ${names.table}
        where namespace = $1 and path = $2 and content is not null
          and ($3::text is null or version::text = $3)
        for update
      ), ${steps.join(", ")}
      update ${names.table} f
        set content = s.content, version = default, modified_at = clock_timestamp()
        from step${edits.length} s
        where f.namespace = $1 and f.path = $2 and octet_length(s.content) <= $4::bigint
        returning s.total::text as total, f.version::text as version, f.size::text as size`,
    values,
    { signal: condition.signal, paths: [path] },
  );
  if (row === undefined) return undefined;
  return {
    occurrences: Number(row["total"]),
    version: row["version"] ?? undefined,
    size: Number(row["size"]),
  };
}

/** PostgreSQL takes no NUL in a text; one in the new text makes the file binary. */
function isPlain({ old, new: text }: Replacement): boolean {
  return old !== "" && !old.includes("\0") && !text.includes("\0");
}

// Bytes are counted, not characters: one pass, and no search from the start for the position of each.
function step(index: number, first: number): string {
  const old = `$${first}::text`;
  return `step${index + 1} as materialized (
    select replace(content, ${old}, $${first + 1}::text) as content, total + found as total
    from (
      select content, total,
        (octet_length(content) - octet_length(replace(content, ${old}, ''))) / octet_length(${old}) as found
      from step${index}
    ) counted
    where found = 1 or (found > 1 and $${first + 2}::boolean)
  )`;
}

function limitOf(maxBytes: number): number {
  return Math.min(maxBytes, Number.MAX_SAFE_INTEGER);
}
