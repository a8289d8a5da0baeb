import { conformance } from "@fs/conformance/vitest";
import { VARIANT, WITHOUT_MATRIX } from "@fs/test-servers/variants";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { filesReducedValue } from "@fs/state";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { afterAll, beforeAll } from "vitest";
import { stateHarness } from "./state-harness.js";

describeWithServer("postgres", "StateBackend with a Postgres checkpointer", () => {
  let server: TestServer<PostgresInfo>;
  let saver: PostgresSaver;

  beforeAll(async () => {
    server = await startPostgres();
    saver = PostgresSaver.fromConnString(server.info.url);
    await saver.setup();
  });
  afterAll(async () => {
    await saver.end();
    await server.stop();
  });

  conformance(
    stateHarness("state in a graph, in Postgres", () => saver),
    WITHOUT_MATRIX,
  );
  conformance(
    stateHarness("state over an ordinary reducer, in Postgres", () => saver, filesReducedValue),
    VARIANT,
  );
});
