import { conformance } from "@fs/conformance/vitest";
import { BESIDE_MEMORY } from "@fs/test-servers/variants";
import { describeWithServer } from "@fs/test-servers/vitest";
import { postgresHarness } from "./postgres-harness.js";

describeWithServer("postgres", "PostgresBackend", () => {
  conformance(postgresHarness(), BESIDE_MEMORY);
});
