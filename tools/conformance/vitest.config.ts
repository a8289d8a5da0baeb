import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import repository from "../../vitest.config.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { resolve, test } = repository;
const aliases = Array.isArray(resolve?.alias) ? resolve.alias : [];

// The conformance tests of the packages as they are, with a binding that measures another tier and keeps the reports.
export default defineConfig({
  root,
  resolve: {
    alias: [
      {
        find: /^@fs\/conformance\/vitest$/,
        replacement: `${root}packages/conformance/test/measured/vitest-binding.ts`,
      },
      ...aliases,
    ],
  },
  test: {
    env: test?.env ?? {},
    reporters: ["default", "./tools/plain-reporter.ts"],
    include: ["packages/*/test/**/*.test.ts", "packages/conformance/test/measured/deepagents.ts"],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    // As `npm test`: a deployment mostly waits, for its server or for a delay of its own.
    maxWorkers: test?.maxWorkers ?? 1,
  },
});
