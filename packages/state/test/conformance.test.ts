import { conformance } from "@fs/conformance/vitest";
import { filesReducedValue, StateBackend } from "@fs/state";
import { MemorySaver } from "@langchain/langgraph";
import { createFilesystemMiddleware } from "deepagents";
import type { SessionOptions } from "./graph-session.js";
import { stateHarness } from "./state-harness.js";

const saver = new MemorySaver();

conformance(stateHarness("state in a graph", () => saver));
conformance(stateHarness("state over an ordinary reducer", () => saver, filesReducedValue));
conformance(stateHarness("state over the reducer of deepagents", () => saver, deepagentsField));
conformance({
  name: "state outside a graph",
  create: () => new StateBackend(),
});

function deepagentsField(): SessionOptions["field"] {
  const { stateSchema } = createFilesystemMiddleware();
  const { fields } = stateSchema as unknown as { fields: { files: SessionOptions["field"] } };
  return fields.files;
}
