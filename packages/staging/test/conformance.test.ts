import { RouteView, wrapped } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { stagingOver } from "./staging-over.js";

const memory = { name: "memory", create: () => new MemoryBackend() };
const composite = {
  name: "a composite",
  create: () => new CompositeBackend(new MemoryBackend(), { "/mnt/deep/": new MemoryBackend() }),
};

for (const split of [false, true]) {
  conformance(stagingOver(memory, { split }));
  conformance(
    wrapped(
      stagingOver(composite, { split }),
      "and seen through a route of it",
      (backend) => new RouteView(backend, "/mnt/deep"),
    ),
  );
}
