import type { Item } from "@langchain/langgraph-checkpoint";
import { bufferOf, buffersOf, unexpected } from "../replies.js";
import { itemOf } from "./stored-item.js";

/** One slice of a search: where to go on (empty at the end), items still to skip, and what was found. */
export interface SearchPage {
  readonly last: Buffer;
  readonly skip: number;
  readonly items: Item[];
}

/** Reads a reply of the search script. Throws `unavailable` for anything else. */
export function searchPageOf(reply: unknown): SearchPage {
  if (!Array.isArray(reply)) throw unexpected();
  const [last, skip, found]: unknown[] = reply;
  const cursor = bufferOf(last);
  if (cursor === undefined || typeof skip !== "number") throw unexpected();
  const flat = buffersOf(found);
  const items: Item[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const [member, stored] = [flat[i], flat[i + 1]];
    if (member !== undefined && stored !== undefined) items.push(itemOf(member.toString(), stored));
  }
  return { last: cursor, skip, items };
}
