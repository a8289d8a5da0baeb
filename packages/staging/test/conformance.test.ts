import { conformance } from "@fs/conformance/vitest";
import { MemoryBackend } from "@fs/protocol";
import { BESIDE_MEMORY } from "@fs/test-servers/variants";
import { earns } from "./earns.js";
import { ALL, LOOKED_AT_BEFORE } from "./splits.js";
import { stagingOver } from "./staging-over.js";

const memory = { name: "memory", create: () => new MemoryBackend() };

for (const split of ALL ? [false, true] : [false])
  conformance(stagingOver(memory, { split }), {
    skip: [...(BESIDE_MEMORY.skip ?? []), ...LOOKED_AT_BEFORE],
    onReport: earns("core", "safe"),
  });
