import { conformance } from "@fs/conformance/vitest";
import { MemoryBackend } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { nodeFilesystem } from "@fs/node";
import { volumeOverNode } from "./volume-over-node.js";

// What the mapping to Node loses on its way there and back fails a rule.
conformance({
  name: "memory through node",
  create: () => new VolumeBackend(volumeOverNode(nodeFilesystem(new MemoryBackend()))),
});
