import { type Harness, RouteView, wrapped } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { VARIANT } from "@fs/test-servers/variants";
import { earns } from "./earns.js";
import { ALL } from "./splits.js";
import { stagingOver } from "./staging-over.js";

const ROUTE = "/mnt/deep";

const composite = {
  name: "a composite",
  create: () => new CompositeBackend(new MemoryBackend(), { [`${ROUTE}/`]: new MemoryBackend() }),
};

/** Staging over a composite, as it is seen through a route of that composite. */
function throughRoute(split: boolean): Harness {
  const harness = wrapped(
    stagingOver(composite, { split }),
    "and seen through a route of it",
    (backend) => new RouteView(backend, ROUTE),
  );
  // What the route itself takes of the longest path is not left for the files.
  return {
    ...harness,
    profile: { ...declared(harness), limits: { pathBytes: 4096 - ROUTE.length } },
  };
}

function declared({ profile }: Harness): object {
  return typeof profile === "object" ? profile : {};
}

for (const split of ALL ? [false, true] : [true])
  conformance(throughRoute(split), { ...VARIANT, onReport: earns("core", "safe") });
