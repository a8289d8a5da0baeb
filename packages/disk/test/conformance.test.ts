import { conformance } from "@fs/conformance/vitest";
import { BESIDE_MEMORY } from "@fs/test-servers/variants";
import { diskHarness } from "./disk-harness.js";

conformance(diskHarness("disk", {}), BESIDE_MEMORY);
