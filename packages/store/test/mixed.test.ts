import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { mixedInState, mixedInStore } from "./mixed-harness.js";

const saver = new MemorySaver();
const store = new InMemoryStore();
const parts = { checkpointer: () => saver, store: () => store };

conformance(mixedInState("state and a store in memory", parts), VARIANT);
conformance(mixedInStore("state and a store in memory", parts), VARIANT);
