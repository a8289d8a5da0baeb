import type { Send } from "./database.js";
import { migrations } from "./migrations.js";
import type { Present, SetupOptions } from "./setup.js";
import { quoteText, type TableNames } from "./table-names.js";

/** A right that a step needs: as SQL asks for it, and in words. */
interface Right {
  readonly held: string;
  readonly words: string;
}

/** The rights that the rest of the set-up needs and the role of the connection does not have, in words. */
export async function missingRights(
  send: Send,
  names: TableNames,
  present: Present,
  options: SetupOptions,
): Promise<string[]> {
  const rights = neededRights(names, present, options);
  if (rights.length === 0) return [];
  const columns = rights.map(({ held }, index) => `(${held})::text as "${index}"`);
  const [row] = await send(`select ${columns.join(", ")}`, []);
  return rights.filter((_, index) => row?.[`${index}`] !== "true").map(({ words }) => words);
}

function neededRights(names: TableNames, present: Present, options: SetupOptions): Right[] {
  const rights: Right[] = [];
  if (!present.schema)
    rights.push({
      held: "has_database_privilege(current_database(), 'create')",
      words: `CREATE on the database, for the schema ${names.schema}`,
    });
  const behind = present.taken < migrations(names).length || !present.guards;
  const trigger = options.watch === true && !present.trigger;
  const index = options.trigram === true && !present.trigram;
  if (present.schema && (behind || trigger || index))
    rights.push({
      held: `has_schema_privilege(${quoteText(names.schema)}::regnamespace, 'create')`,
      words: `CREATE on the schema ${names.schema}`,
    });
  if (present.taken > 0 && (behind || trigger || index)) rights.push(ownership(names.table));
  if (index && !present.extension)
    rights.push({
      held: `has_database_privilege(current_database(), 'create') and (
        (select rolsuper from pg_roles where rolname = current_user)
        or exists (select 1 from pg_available_extension_versions where name = 'pg_trgm' and trusted))`,
      words: "the right to create the extension pg_trgm (CREATE on the database)",
    });
  return rights;
}

function ownership(table: string): Right {
  return {
    held: `coalesce((select pg_has_role(current_user, relowner, 'member') from pg_class
      where oid = to_regclass(${quoteText(table)})), true)`,
    words: `the ownership of the table ${table}`,
  };
}
