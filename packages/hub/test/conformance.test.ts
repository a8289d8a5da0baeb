import type { Harness } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { BESIDE_MEMORY, VARIANT } from "@fs/test-servers/variants";
import type { ContextHubBackend, ContextHubBackendOptions } from "../src/index.js";
import { backendOn } from "./hub-fixture.js";
import { HubServer } from "./hub-server.js";

const hub = await HubServer.start();

const nameOf = (ns: string): string => `case-${ns}`;

function open(ns: string, options: ContextHubBackendOptions = {}): ContextHubBackend {
  return backendOn(hub, nameOf(ns), { coalesceMs: 0, ...options });
}

const base: Harness<ContextHubBackend> = {
  name: "hub",
  create: ({ ns }) => open(ns),
  meter: () => ({ requests: hub.requests.length }),
  secrets: [hub.apiKey, "127.0.0.1"],
  profile: { content: "text", durable: true, times: "observed" },
};

// Another client of the same repository is to see every commit at once, so no read answers from an older tree.
const fresh = (ns: string): ContextHubBackend => open(ns, { maxAgeMs: 0, maxConflicts: 100 });

conformance<ContextHubBackend>(
  {
    ...base,
    create: ({ ns }) => fresh(ns),
    peer: ({ ns }) => fresh(ns),
    reopen: ({ ns }) => fresh(ns),
    outOfBand: ({ ns }) => ({
      put: (path, bytes) =>
        hub.commit(nameOf(ns), { [path.slice(1)]: Buffer.from(bytes).toString("utf8") }),
      get: (path) => {
        const text = hub.textsOf(nameOf(ns))[path.slice(1)];
        return text === undefined ? undefined : Buffer.from(text);
      },
    }),
  },
  BESIDE_MEMORY,
);

// As it is by default: reads answer from the tree that is here.
conformance<ContextHubBackend>(
  {
    ...base,
    name: "hub, without other clients",
    reopen: ({ ns }) => open(ns),
    teardown: () => hub.stop(),
  },
  VARIANT,
);
