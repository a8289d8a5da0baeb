import { conformance } from "@fs/conformance/vitest";
import { LEFT_TO_CHECKS, WITHOUT_MATRIX } from "@fs/test-servers/variants";
import { describeWithServer } from "@fs/test-servers/vitest";
import { s3Harness } from "./s3-harness.js";

/** Thousands of requests for batches and trees, of which `scale/directory-1001` and the budgets of requests leave little unseen. */
const MANY_REQUESTS =
  WITHOUT_MATRIX.skip === undefined
    ? []
    : [
        "scale/batch-601",
        "scale/*-260-files",
        "scale/*-thirty-files",
        "growth/*",
        "encoding/every-*",
      ];

describeWithServer("s3", "S3Backend", () => {
  conformance(s3Harness("s3", "as-it-does"), {
    skip: [...(WITHOUT_MATRIX.skip ?? []), ...MANY_REQUESTS, ...LEFT_TO_CHECKS],
  });
});
