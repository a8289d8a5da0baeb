import { InMemoryStore, type BaseStore } from "@langchain/langgraph";

/** A filter of a store's search. */
export type Filter = Record<string, unknown>;

/** Finds the files below one directory on the side of the store. */
export interface PlaceFilters {
  /** Files that carry their place, below the directory. */
  readonly placed: Filter;
  /** Items that carry no place, wherever they belong: other writers' files. */
  readonly unplaced: Filter;
}

/**
 * What is stored beside a file, so that a search can ask for what lies below one directory: each directory above it,
 * numbered from the root, as `{ dir0: "/", dir1: "/docs", dir2: "/docs/api" }` for `/docs/api/index.md`. One field each,
 * because stores compare a field with a text and nothing more. Every file has `dir0`.
 */
export function placeOf(path: string): Record<string, string> {
  const place: Record<string, string> = { dir0: "/" };
  let depth = 0;
  for (let end = path.indexOf("/", 1); end !== -1; end = path.indexOf("/", end + 1))
    place[`dir${++depth}`] = path.slice(0, end);
  return place;
}

/**
 * The filters for a directory, or `undefined` where all items have to be read: for `/`, and for a store that is not known
 * to tell items without a field from others. Filters differ in that; one that a store takes for something else would hide
 * other writers' files.
 */
export function placeFilters(store: BaseStore, directory: string): PlaceFilters | undefined {
  if (directory === "/") return undefined;
  const depth = directory.split("/").length - 1;
  const placed = { [`dir${depth}`]: directory };
  if (store instanceof InMemoryStore) return { placed, unplaced: { dir0: { $eq: undefined } } };
  if (isPostgresStore(store)) return { placed, unplaced: { dir0: { $exists: false } } };
  return undefined;
}

/** By its name and its parts: the package of PostgresStore is not a dependency. */
function isPostgresStore(store: BaseStore): boolean {
  for (let kind: unknown = store; kind !== null; kind = Object.getPrototypeOf(kind)) {
    const { name } = (kind as object).constructor;
    if (name === "PostgresStore") return "searchOps" in store && "crudOps" in store;
  }
  return false;
}
