import { withoutHooks } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { describeWithServer } from "@fs/test-servers/vitest";
import { postgresHarness } from "./postgres-harness.js";

describeWithServer("postgres", "PostgresBackend by its primitives", () => {
  conformance(withoutHooks(postgresHarness()), VARIANT);
});
