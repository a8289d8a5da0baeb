import { MemoryBackend } from "@fs/protocol";
import { conformance } from "@fs/conformance/vitest";

conformance({ name: "memory", create: () => new MemoryBackend() });
