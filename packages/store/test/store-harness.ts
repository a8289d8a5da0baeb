import type { Harness } from "@fs/conformance";
import { StoreBackend } from "@fs/store";
import type { BaseStore } from "@langchain/langgraph";

/** The suite over a store: a namespace for every case; backends of one process are peers. */
export function storeHarness(name: string, store: () => BaseStore): Harness {
  const open = ({ ns }: { ns: string }): StoreBackend =>
    new StoreBackend({ store: store(), namespace: [ns] });
  return {
    name,
    create: open,
    peer: open,
    reopen: open,
    profile: { durable: true, collisions: "allowed" },
  };
}
