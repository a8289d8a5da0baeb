import { runConformance } from "@fs/conformance";
import { MemoryBackend } from "@fs/protocol";

const report: unknown = await runConformance(() => new MemoryBackend(), { only: "path/*" });
if (typeof report !== "object") throw new Error("expected a report");
