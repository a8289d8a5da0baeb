import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { afterAll, beforeAll } from "vitest";
import { mixedInState, mixedInStore } from "./mixed-harness.js";

describeWithServer("postgres", "state and a store, both in Postgres", () => {
  let server: TestServer<PostgresInfo>;
  let saver: PostgresSaver;
  let store: PostgresStore;

  beforeAll(async () => {
    server = await startPostgres();
    saver = PostgresSaver.fromConnString(server.info.url);
    store = PostgresStore.fromConnString(server.info.url);
    await saver.setup();
    await store.setup();
  });
  afterAll(async () => {
    await saver.end();
    await store.stop();
    await server.stop();
  });

  const parts = { checkpointer: () => saver, store: () => store };
  conformance(mixedInState("state and a store in Postgres", parts), VARIANT);
  conformance(mixedInStore("state and a store in Postgres", parts), VARIANT);
});
