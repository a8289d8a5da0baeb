import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import SuitesFirst from "./tools/suites-first.js";

const packages = fileURLToPath(new URL("./packages/", import.meta.url));
const tools = fileURLToPath(new URL("./tools/", import.meta.url));
const PUBLISHED = "tools/repository/test/*.int.test.ts";
/** Deployments beside the first of each backend: what they have in common with it is much, and takes minutes. */
const DEPLOYMENTS = [
  "packages/*/test/further-deployments{.int,}.test.ts",
  "packages/node/test/round-trip{-composite,-disk,-memory,.int}.test.ts",
  "packages/postgres/test/pglite.int.test.ts",
  "packages/redis/test/store-backend.int.test.ts",
  "packages/shell/test/sandbox-conformance.int.test.ts",
  "packages/staging/test/{disk,postgres.int,s3.int}.test.ts",
  "packages/state/test/postgres.int.test.ts",
  "packages/store/test/mixed{.int,}.test.ts",
  "packages/store/test/postgres.int.test.ts",
];
/**
 * Hundreds of rounds against servers and of killed processes, and whole suites: under faults of a server and of commands, on the
 * guide's example, in processes, over HTTP.
 */
const LONG = [
  "apps/cli/test/secrets.int.test.ts",
  "apps/docs/test/custom-backend-levels.test.ts",
  "packages/agent/test/postgres.int.test.ts",
  "packages/conformance/test/cli-levels.test.ts",
  "packages/conformance/test/writing-a-backend.test.ts",
  "packages/postgres/test/faults-conformance.int.test.ts",
  "packages/postgres/test/lost-connections.int.test.ts",
  "packages/s3/test/unknown-outcomes.int.test.ts",
  "packages/shell/test/batches.int.test.ts",
  "packages/shell/test/faults-conformance.int.test.ts",
  "packages/state/test/shared-files.int.test.ts",
  "tools/relocation-races/test/servers.int.test.ts",
  "tools/soak/test/soak.int.test.ts",
];
/**
 * Tests that count warnings which a process gives once, replace a module, or set the clock ahead, after which IDs that only
 * grow stay ahead: in a process with nobody else.
 */
const OWN_PROCESS = [
  "packages/agent/test/either-backend.test.ts",
  "packages/disk/test/host-path-warning.test.ts",
  "packages/journal/test/settle.test.ts",
  "packages/middleware/test/permission-prompt.test.ts",
  "packages/protocol/test/first-version.test.ts",
  "packages/redis/test/expiry.int.test.ts",
  "packages/state/test/deprecated.test.ts",
  "packages/store/test/namespaces.test.ts",
  "tools/test-servers/test/requirements.test.ts",
];
const TEETH = ["bites", "mutants-of-*", "nothing-left", "odd-answers", "odd-backends"].map(
  (name) => `packages/conformance/test/${name}.test.ts`,
);

export default defineConfig({
  // Tests run the sources, so that coverage counts them; TEST_DIST=1 runs what a user would get.
  resolve: {
    alias: process.env["TEST_DIST"]
      ? []
      : [
          {
            find: /^@fs\/(readme-examples|test-servers)$/,
            replacement: `${tools}$1/src/index.ts`,
          },
          {
            find: /^@fs\/(readme-examples|test-servers)\/(.+)$/,
            replacement: `${tools}$1/src/$2.ts`,
          },
          { find: /^@fs\/([^/]+)$/, replacement: `${packages}$1/src/index.ts` },
          { find: /^@fs\/([^/]+)\/(.+)$/, replacement: `${packages}$1/src/$2.ts` },
        ],
  },
  test: {
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
    // Half of a run is waiting for servers and processes, so that there is work for one worker more than cores.
    maxWorkers: availableParallelism() + 1,
    // They end what hangs. No test has a time of its own: a shared machine may be ten times slower for minutes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ["default", "./tools/plain-reporter.ts"],
    sequence: { sequencer: SuitesFirst },
    coverage: { provider: "v8", include: ["packages/*/src/**"] },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{packages,tools,apps}/*/test/**/*.test.ts", "examples/test/**/*.test.ts"],
          exclude: [
            "**/*.int.test.ts",
            ...TEETH,
            ...DEPLOYMENTS,
            ...LONG,
            ...OWN_PROCESS,
            "**/node_modules/**",
          ],
          // Loading LangChain, and the sources, took half of a run: files share the process of their worker. A worker of
          // Vitest goes on with the next file only if that is of the same project, so that these have a turn of their own.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "int",
          include: ["{packages,tools,apps}/*/test/**/*.int.test.ts"],
          exclude: [PUBLISHED, ...DEPLOYMENTS, ...LONG, ...OWN_PROCESS, "**/node_modules/**"],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "own-process",
          include: OWN_PROCESS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The suite on further deployments, and long runs. `.ci/run` runs it; `npm test` leaves it out.
        extends: true,
        test: {
          name: "deployments",
          include: [...DEPLOYMENTS, ...LONG],
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Whether the suite bites, and only what is wrong: hundreds of backends. `.ci/run` runs it; `npm test` leaves it out.
        extends: true,
        test: {
          name: "teeth",
          include: TEETH,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // What users get: packed, installed, started and bundled. `.ci/run` runs it; `npm test` leaves it out.
        extends: true,
        test: {
          name: "published",
          include: [PUBLISHED],
          globalSetup: "tools/repository/test/pack-once.ts",
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
