import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import repository from "../../vitest.config.js";
import { faulty } from "./faults.mjs";
import { PACKAGES } from "./possible-faults.mjs";

interface Fault {
  readonly module?: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const fault = JSON.parse(process.env["FS_FAULT"] ?? "{}") as Fault;
const name = process.env["FS_FAULT_PACKAGE"] ?? "protocol";
const part = process.env["FS_FAULT_PART"] ?? "own";
const compiled = `${root}packages/${name}/dist/${fault.module}`;
const source = `${root}packages/${name}/src/${fault.module}`.replace(/\.js$/, ".ts");

/** What runs the suite on the backends of a package, and all of its tests that do not take minutes by themselves. */
const INCLUDE =
  part === "suite"
    ? name === "protocol"
      ? [
          "packages/conformance/test/{memory,further-deployments}.test.ts",
          "packages/middleware/test/wrappers.conformance.test.ts",
        ]
      : [`packages/${name}/test/{conformance,faults-conformance}{.int,}.test.ts`]
    : [`packages/${name}/test/*.test.ts`];
/** Tests that take minutes, that want a process of their own, and that run what is built, in which there is no fault. */
const EXCLUDED = [
  "lost-connections",
  "replicas",
  "unknown-outcomes",
  "sandbox-conformance",
  "batches",
  "shared-files",
  "pglite",
  "store-backend",
  "further-deployments",
  "{postgres,s3}",
  "mixed",
  "first-version",
  "host-path-warning",
  "expiry",
  "deprecated",
  "readme",
  "examples",
].map((file) => `packages/{${PACKAGES.join()}}/test/${file}{.int,}.test.ts`);

// The tests of one package, over the compiled form of one module with a fault in it.
export default defineConfig({
  root,
  ...(repository.resolve === undefined ? {} : { resolve: repository.resolve }),
  plugins: [
    {
      name: "fault",
      enforce: "pre",
      load: (id) => (id === source ? faulty(readFileSync(compiled, "utf8"), fault) : undefined),
    },
  ],
  test: {
    // A fault that never ends is ended with the program, and its threads with it.
    pool: "threads",
    env: repository.test?.env ?? {},
    include: INCLUDE,
    exclude: EXCLUDED,
    // Files share their modules, as in `npm test`: loading them anew takes most of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
