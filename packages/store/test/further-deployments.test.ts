import { behindRoute } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { InMemoryStore } from "@langchain/langgraph";
import { StoreBackend } from "@fs/store";
import { storeHarness } from "./store-harness.js";

const store = new InMemoryStore();

conformance(behindRoute(storeHarness("store in memory", () => store)), VARIANT);
conformance(
  {
    ...storeHarness("store in memory, in the older form", () => store),
    create: ({ ns }) => new StoreBackend({ store, namespace: [ns], fileFormat: "v1" }),
  },
  VARIANT,
);
