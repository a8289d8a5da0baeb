// Runs when the package is packed: a tarball holds no sources, and the reports of a published suite carry their digest all the same.
import { writeFileSync } from "node:fs";
import { suiteDigest } from "../dist/cases/suite-version.js";

writeFileSync(new URL("../lib/suite-digest.txt", import.meta.url), `${suiteDigest()}\n`);
