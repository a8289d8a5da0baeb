import { MemoryBackend } from "@fs/protocol";
import { behindRoute, withoutHooks } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { memory } from "./memory-harness.js";

const plain = memory("memory", false);
// It has no hooks of its own to differ by.
conformance(withoutHooks(plain), VARIANT);
conformance(behindRoute(plain), VARIANT);

// Correct, though late and in no order: nothing here may fail. The odd backends that are late run the matrix.
conformance(memory("memory with random latency and reversed listings", true), {
  skip: ["scale/directory-1001", "scale/directory-101", ...(VARIANT.skip ?? [])],
});

conformance({
  name: "memory that overwrites, with a limit",
  create: () => new MemoryBackend({ writeMode: "overwrite", maxFileBytes: 300_000 }),
  profile: { writeMode: "overwrite", limits: { fileBytes: 300_000 } },
});
