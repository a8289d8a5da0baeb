// Test files that have not passed on the present tree yet. `npm test` leaves them out and lists them by name; `FS_TEST_ALL=1
// npm test` runs them too. A file leaves this list in the commit that makes it pass, and nothing else may be added.
import { readFileSync } from "node:fs";

const listed = new URL("unproven-tests.txt", import.meta.url);

/** The files that are left out, relative to the repository. */
export const unprovenTests =
  process.env["FS_TEST_ALL"] === "1"
    ? []
    : readFileSync(listed, "utf8")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"));
