import type { Item } from "@langchain/langgraph-checkpoint";
import { unexpected } from "../replies.js";
import { itemKeyOf } from "./item-keys.js";

/** Reads an item as the scripts keep it: `created updated expires lifetime LF json`. Throws `unavailable` for anything else. */
export function itemOf(member: string, stored: Buffer): Item {
  const cut = stored.indexOf(10);
  const [created, updated] = stored.toString("latin1", 0, cut).split(" ");
  const value: unknown = JSON.parse(stored.toString("utf8", cut + 1));
  if (typeof value !== "object" || value === null) throw unexpected();
  return {
    ...itemKeyOf(member),
    value: value as Item["value"],
    createdAt: new Date(Number(created)),
    updatedAt: new Date(Number(updated)),
  };
}
