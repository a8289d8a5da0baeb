import type { BaseStore, Item } from "@langchain/langgraph";

/** Items that a search asks for: all there are, at once, so that none is read twice. Stores take it for a 4-byte number. */
export const ALL = 2 ** 31 - 1;

/** More than any answer of a store that was seen to be whole: it caps its answers no lower. */
const wholeBelow = new WeakMap<BaseStore, number>();

/** Stores that are known to give as many items as they are asked for. What extends them may not. */
const UNCAPPED: ReadonlySet<string> = new Set(["InMemoryStore", "PostgresStore"]);

/**
 * All items below a namespace. One search gives them as they are at one moment; pages would overlap and leave gaps where a
 * store sorts by a time that many items share, so that they are read only where a store gives fewer than it was asked for.
 */
export async function everyItem(store: BaseStore, namespace: string[]): Promise<Item[]> {
  const search = (offset: number, limit: number) => store.search(namespace, { limit, offset });
  const items: Item[] = [...(await search(0, ALL))];
  const most = items.length;
  if (most === 0 || UNCAPPED.has(store.constructor.name)) return items;
  if ((wholeBelow.get(store) ?? 0) > most) return items;
  const seen = new Set(items.map(nameOf));
  for (;;) {
    // What a cap may be is not known, so that any number of items can be one.
    const page = await search(items.length, most);
    const fresh = page.filter((item) => !seen.has(nameOf(item)));
    // A store that knows no offset gives the same again, without end.
    if (fresh.length === 0) break;
    for (const item of fresh) {
      seen.add(nameOf(item));
      items.push(item);
    }
  }
  if (items.length === most) wholeBelow.set(store, most + 1);
  return items;
}

function nameOf({ namespace, key }: Item): string {
  return JSON.stringify([namespace, key]);
}
