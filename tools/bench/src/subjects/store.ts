import { StoreBackend } from "@fs/store";
import { type PostgresInfo, startPostgres, type TestServer } from "@fs/test-servers";
import { InMemoryStore } from "@langchain/langgraph";
import type { BaseStore } from "@langchain/langgraph-checkpoint";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { StoreBackend as PeerBackend } from "deepagents";
import type { Counter } from "../measure.js";
import { fill, type OperationName } from "../operations.js";
import type { Filled, Subject } from "../subject.js";

const METHODS = ["get", "put", "search", "delete", "batch"] as const;

/** Counts the calls that reach a store, and the items that come back. */
function counting(store: BaseStore): Counter {
  let count = { calls: 0, items: 0 };
  // A store's methods may go through its own `batch`.
  let nested = false;
  const methods = store as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  for (const method of METHODS) {
    const inner = methods[method]?.bind(store);
    if (inner === undefined) continue;
    methods[method] = async (...given: unknown[]) => {
      if (nested) return inner(...given);
      count.calls++;
      nested = true;
      try {
        const result = await inner(...given);
        count.items += [result].flat(2).filter((item) => hasValue(item)).length;
        return result;
      } finally {
        nested = false;
      }
    };
  }
  return {
    take: () => {
      const taken = count;
      count = { calls: 0, items: 0 };
      return taken;
    },
  };
}

function hasValue(item: unknown): boolean {
  return typeof item === "object" && item !== null && "value" in item && item.value !== undefined;
}

let spaces = 0;

async function filled(store: BaseStore, files: number): Promise<Filled> {
  const counter = counting(store);
  const [mine, theirs] = [
    ["bench", `ours${++spaces}`],
    ["bench", `peer${spaces}`],
  ];
  const ours = new StoreBackend({ store, namespace: mine });
  await fill(ours, files);
  await fill(new StoreBackend({ store, namespace: theirs }), files);
  const read: OperationName = "read";
  return {
    ours,
    peer: new PeerBackend({ store, namespace: theirs }),
    limits: { [read]: () => store.get(mine, "/d0/f0.md") },
    counters: { ours: counter, peer: counter },
    close: async () => {},
  };
}

const sides = {
  ours: "StoreBackend of @fs/store",
  peer: "StoreBackend of deepagents",
  limit: "store.get",
};

/** A LangGraph store in memory. */
export const store: Subject = {
  suite: "store",
  title: "LangGraph store, in memory",
  sides,
  clock: "cpu",
  mostFiles: 10_000,
  open: (files) => filled(new InMemoryStore(), files),
};

/** A LangGraph store in PostgreSQL. */
export function storeOnPostgres(): Subject {
  let server: TestServer<PostgresInfo> | undefined;
  let opened: PostgresStore | undefined;
  return {
    suite: "store-postgres",
    title: "LangGraph store, in PostgreSQL",
    sides,
    clock: "wall",
    mostFiles: 10_000,
    open: async (files) => {
      server ??= await startPostgres();
      await opened?.stop();
      opened = PostgresStore.fromConnString(server.info.url);
      await opened.setup();
      return filled(opened, files);
    },
    stop: async () => {
      await opened?.stop();
      await server?.stop();
    },
  };
}
