import { conformance } from "@fs/conformance/vitest";
import { PostgresBackend } from "@fs/postgres";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { VARIANT } from "@fs/test-servers/variants";
import { describeWithServer } from "@fs/test-servers/vitest";
import { overNode, SKIPPED } from "./volume-over-node.js";

// What the mapping to Node loses on its way there and back fails a rule.
describeWithServer("postgres", "nodeFilesystem over PostgreSQL", () => {
  let server: TestServer<PostgresInfo>;
  conformance(
    {
      name: "postgres through node",
      // Each call is a few of Node's, and each of those a round trip.
      timeoutMs: 60_000,
      setup: async () => {
        server = await startPostgres();
        const backend = new PostgresBackend({ url: server.info.url });
        await backend.setup();
        await backend.close();
      },
      teardown: () => server.stop(),
      create: ({ ns }) => {
        const backend = new PostgresBackend({ url: server.info.url, namespace: ns });
        return { backend: overNode(backend), dispose: () => backend.close() };
      },
      secrets: ["postgres://", "127.0.0.1"],
    },
    { skip: [...SKIPPED, ...(VARIANT.skip ?? [])] },
  );
});
