import { conformance } from "@fs/conformance/vitest";
import { MemoryBackend } from "@fs/protocol";
import { overNode } from "./volume-over-node.js";

// What the mapping to Node loses on its way there and back fails a rule.
conformance({ name: "memory through node", create: () => overNode(new MemoryBackend()) });
