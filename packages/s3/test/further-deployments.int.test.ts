import { conformance } from "@fs/conformance/vitest";
import { LEFT_TO_CHECKS, VARIANT } from "@fs/test-servers/variants";
import { describeWithServer } from "@fs/test-servers/vitest";
import { s3Harness } from "./s3-harness.js";

/** Here a file is removed by one request, and an upload replaces by one: removals, moves, uploads and races are what differs. */
const REMOVES_OR_REPLACES = [
  "conc/*",
  "copy/*",
  "delete/*",
  "durable/*",
  "model/*",
  "move/*",
  "refusal/*",
  "upload/*",
  "version/*",
  "write/*",
];

describeWithServer("s3", "S3Backend where DELETE has the conditions of AWS", () => {
  const harness = s3Harness("s3 with the conditions of AWS on DELETE", "as-aws");
  if (VARIANT.skip === undefined) conformance(harness);
  else
    conformance(harness, {
      only: REMOVES_OR_REPLACES,
      skip: [...VARIANT.skip, ...LEFT_TO_CHECKS],
    });
});
