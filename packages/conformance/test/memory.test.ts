import { conformance } from "@fs/conformance/vitest";
import { memory } from "./memory-harness.js";

conformance(memory("memory", false));
