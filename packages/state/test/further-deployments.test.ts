import { behindRoute } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { MemoryBackend } from "@fs/protocol";
import { filesReducedValue, filesValue, StateBackend } from "@fs/state";
import { MemorySaver } from "@langchain/langgraph";
import { createFilesystemMiddleware } from "deepagents";
import type { SessionOptions } from "./graph-session.js";
import { stateHarness } from "./state-harness.js";

const saver = new MemorySaver();

conformance(behindRoute(stateHarness("state in a graph", () => saver)), VARIANT);
conformance(
  stateHarness("state over an ordinary reducer", () => saver, filesReducedValue),
  VARIANT,
);
conformance(
  stateHarness("state over the reducer of deepagents", () => saver, deepagentsField),
  VARIANT,
);
const contents = new MemoryBackend();
conformance(
  stateHarness(
    "state with contents outside",
    () => saver,
    () => filesValue(),
    () => new StateBackend({ content: { backend: contents, from: 4 } }),
  ),
  VARIANT,
);
conformance({ name: "state outside a graph", create: () => new StateBackend() }, VARIANT);

function deepagentsField(): SessionOptions["field"] {
  const { stateSchema } = createFilesystemMiddleware();
  const { fields } = stateSchema as unknown as { fields: { files: SessionOptions["field"] } };
  if (fields.files === undefined) throw new TypeError("deepagents has no files field any more.");
  return fields.files;
}
