import { conformance } from "@fs/conformance/vitest";
import { BESIDE_MEMORY } from "@fs/test-servers/variants";
import { InMemoryStore } from "@langchain/langgraph";
import { storeHarness } from "./store-harness.js";

const store = new InMemoryStore();

conformance(
  storeHarness("store in memory", () => store),
  BESIDE_MEMORY,
);
