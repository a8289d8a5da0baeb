import type { BaseStore } from "@langchain/langgraph";

/** A filter of a store's search. */
export type Filter = Record<string, unknown>;

/** Finds the files below one directory on the side of the store. */
interface PlaceFilters {
  /** Files that carry their place, in or below the directory, or in one above it that is as deep as a place goes. */
  readonly placed: Filter;
  /** Items that carry no place, wherever they belong: other writers' files. */
  readonly unplaced: Filter;
}

/** How a kind of store keeps places, and finds files by them. */
export interface PlaceIndex {
  /** What is stored beside the file at a path, so that a search can ask for what lies below one directory. */
  fieldsOf(path: string): Record<string, unknown>;
  /** The filters for a directory; `undefined` where all items have to be read: for `/`, and for a store of unknown kind. */
  filtersFor(directory: string): PlaceFilters | undefined;
}

/** Characters that the directories of one place take together: their sum grows with the square of the depth. */
const MAX_CHARACTERS = 4096;

/**
 * The directories above a file, numbered from the root, as `{ dir0: "/", dir1: "/docs" }` for `/docs/index.md`, as far as there
 * is room for them: how far depends on the directories alone, so that all files below one agree on it.
 */
function placeOf(path: string): Readonly<Record<string, string>> {
  const directory = path.slice(0, path.lastIndexOf("/") + 1);
  if (latest.directory !== directory) latest = { directory, place: placeIn(directory) };
  return latest.place;
}

/** The place that was asked for last: the files of a batch mostly lie together. */
let latest: { directory: string; place: Readonly<Record<string, string>> } = {
  directory: "/",
  place: { dir0: "/" },
};

function placeIn(path: string): Record<string, string> {
  const place: Record<string, string> = { dir0: "/" };
  let depth = 0;
  let characters = 0;
  for (let end = path.indexOf("/", 1); end !== -1; end = path.indexOf("/", end + 1)) {
    characters += end;
    if (characters > MAX_CHARACTERS) break;
    place[`dir${++depth}`] = path.slice(0, end);
  }
  return place;
}

/** The deepest directory of a place that holds all files below a directory: itself, unless it is very deep. */
function fieldFor(directory: string): Record<string, string> {
  const [field, value] = Object.entries(placeOf(`${directory}/`)).at(-1) ?? ["dir0", "/"];
  return { [field]: value };
}

/** One field for each directory: InMemoryStore compares a field with a text, and nothing more. */
const inMemory: PlaceIndex = {
  fieldsOf: placeOf,
  filtersFor: (directory) =>
    directory === "/"
      ? undefined
      : { placed: fieldFor(directory), unplaced: { dir0: { $eq: undefined } } },
};

/** One object, which PostgresStore looks for in the index that it has on all values; it scans the table for single fields. */
const inPostgres: PlaceIndex = {
  fieldsOf: (path) => ({ place: placeOf(path) }),
  filtersFor: (directory) =>
    directory === "/"
      ? undefined
      : { placed: { place: fieldFor(directory) }, unplaced: { place: { $exists: false } } },
};

/** Filters differ in how they take an item without the field; a wrong guess would hide other writers' files. */
const unknown: PlaceIndex = { fieldsOf: placeOf, filtersFor: () => undefined };

/** How a store keeps places. */
export function placeIndexOf(store: BaseStore): PlaceIndex {
  if (isOfKind(store, "InMemoryStore")) return inMemory;
  const inTables = "searchOps" in store && "crudOps" in store;
  return inTables && isOfKind(store, "PostgresStore") ? inPostgres : unknown;
}

/**
 * By the name of its class: the package of PostgresStore is not a dependency, and a project may hold LangGraph twice, as two
 * copies or in both module formats, of which `instanceof` knows one.
 */
function isOfKind(store: BaseStore, name: string): boolean {
  for (let kind: unknown = store; kind !== null; kind = Object.getPrototypeOf(kind))
    if ((kind as object).constructor.name === name) return true;
  return false;
}
