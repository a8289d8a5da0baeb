import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import type { ContextHubBackend } from "../src/index.js";
import { startHub } from "./hub-harness.js";

const { hub, nameOf, open, harness } = await startHub();

// Another client of the same repository is to see every commit at once, so no read answers from an older tree.
const fresh = (ns: string): ContextHubBackend => open(ns, { maxAgeMs: 0, maxConflicts: 100 });

conformance<ContextHubBackend>(
  {
    ...harness,
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
  // This one differs from the first in what two clients see of each other.
  { skip: (VARIANT.skip ?? []).filter((pattern) => pattern !== "peer/*") },
);
