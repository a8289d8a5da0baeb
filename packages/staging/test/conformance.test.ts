import { conformance } from "@fs/conformance/vitest";
import { MemoryBackend } from "@fs/protocol";
import { BESIDE_MEMORY } from "@fs/test-servers/variants";
import { earns } from "./earns.js";
import { ALL } from "./splits.js";
import { stagingOver } from "./staging-over.js";

const memory = { name: "memory", create: () => new MemoryBackend() };

for (const split of ALL ? [false, true] : [false])
  conformance(stagingOver(memory, { split }), {
    ...BESIDE_MEMORY,
    onReport: earns("core", "safe"),
  });
