import { behindRoute } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { diskHarness } from "./disk-harness.js";

conformance(behindRoute(diskHarness("disk", {})), VARIANT);
conformance(diskHarness("disk without ripgrep", { ripgrep: false }), VARIANT);
conformance(
  diskHarness("disk through its primitives alone", {}, (backend) => backend.withoutHooks()),
  VARIANT,
);
conformance(
  diskHarness("disk by paths", { containment: "best-effort", writeMode: "overwrite" }),
  VARIANT,
);
conformance(diskHarness("disk with links inside", { symlinks: "inside" }), VARIANT);
