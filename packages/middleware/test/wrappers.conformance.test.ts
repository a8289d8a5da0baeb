import { conformance } from "@fs/conformance/vitest";
import { MemoryBackend } from "@fs/protocol";
import { wrappers } from "./support/wrappers.js";

for (const name of ["permissions", "policy"] as const)
  conformance({ name: `memory in ${name}`, create: () => wrappers[name](new MemoryBackend()) });
