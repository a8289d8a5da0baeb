import { conformance } from "@fs/conformance/vitest";
import { BESIDE_MEMORY } from "@fs/test-servers/variants";
import { MemorySaver } from "@langchain/langgraph";
import { stateHarness } from "./state-harness.js";

const saver = new MemorySaver();

conformance(
  stateHarness("state in a graph", () => saver),
  BESIDE_MEMORY,
);
