/** The harness that `init` writes. */
export const HARNESS_TEMPLATE = `// How the conformance suite gets backends to test. Run it: npx fs-conformance ./FILE
// It runs as it is, on files in memory: put your own backend in their place.
import { MemoryBackend as MyBackend } from "@fs/protocol"; // import { MyBackend } from "./my-backend.js";

/** @type {import("@fs/conformance").Harness} */
export default {
  name: "my backend",

  // Called once per case: an EMPTY backend that shares nothing with other namespaces. \`ns\` is a unique
  // text of [a-z0-9-] to make a directory, a prefix, a key space or a schema of.
  create: ({ ns }) => new MyBackend(), // new MyBackend({ prefix: ns })
  // … or with something to free: ({ ns }) => ({ backend, dispose: () => … })

  // What it claims. Left out means the whole contract; say here where your storage really differs.
  profile: {
    // execute: true, // it runs commands
    // regex: false, // searches are for literal text only
    // writeMode: "overwrite", // write replaces a file
    // collisions: "allowed", // the storage cannot tell a file from a directory of that name
    // transfer: false, delete: false, move: false, copy: false, multiEdit: false, // methods that are absent
  },

  // Each of these adds cases. Without them, those cases are not applicable, visibly.
  // setup: async () => {}, // once, before the first case: start a server
  // teardown: async () => {}, // once, after the last
  // peer: ({ ns }) => new MyBackend({ prefix: ns }), // a second client of the same files: races across clients
  // reopen: ({ ns }) => new MyBackend({ prefix: ns }), // the same files after a restart: durability
  // secrets: ["password"], // texts that no error may hold
};
`;

/** The same in TypeScript. */
export const TYPED_HARNESS_TEMPLATE = HARNESS_TEMPLATE.replace(
  '/** @type {import("@fs/conformance").Harness} */\n',
  'import type { Harness } from "@fs/conformance";\n\n',
).replace(/\};\n$/, "} satisfies Harness;\n");

/** The workflow that \`init\` writes. */
export const WORKFLOW_TEMPLATE = `name: conformance
on: [push, pull_request]
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm ci
      - run: npx fs-conformance ./FILE --json reports/conformance.json --junit reports/conformance.xml --md reports/conformance.md
      - if: always()
        run: cat reports/conformance.md >> "$GITHUB_STEP_SUMMARY"
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: conformance
          path: reports
`;
