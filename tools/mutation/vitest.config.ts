import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import repository from "../../vitest.config.js";
import { faulty } from "./faults.mjs";

interface Fault {
  readonly module: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const fault = JSON.parse(process.env["FS_FAULT"] ?? "{}") as Fault;
const compiled = `${root}packages/protocol/dist/${fault.module}`;
const source = `${root}packages/protocol/src/${fault.module}`.replace(/\.js$/, ".ts");

// The tests of the protocol, over the compiled form of one module with a fault in it.
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
    env: repository.test?.env ?? {},
    include: ["packages/protocol/test/*.test.ts"],
    testTimeout: 60_000,
  },
});
