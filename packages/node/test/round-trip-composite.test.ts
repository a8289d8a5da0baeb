import { conformance } from "@fs/conformance/vitest";
import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { overNode, SKIPPED } from "./volume-over-node.js";

// What the mapping to Node loses on its way there and back fails a rule.
const ROUTE = "/mnt/deep";
conformance(
  {
    name: "a route of a composite through node",
    create: () => {
      const routes = { [`${ROUTE}/`]: new MemoryBackend() };
      return overNode(new CompositeBackend(new MemoryBackend(), routes), { cwd: ROUTE });
    },
    // What the route itself takes of the longest path is not left for the files.
    profile: { limits: { pathBytes: 4096 - ROUTE.length } },
  },
  { skip: SKIPPED },
);
