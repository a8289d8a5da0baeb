import { codeBlocks, runExample } from "@fs/readme-examples";
import { join } from "node:path";
import { describe, test } from "vitest";
import { root } from "../src/repository.js";
import { pages } from "../src/site-map.js";

// Pages of packages are tried by the packages; those that need a server, in examples.int.test.ts.
const SERVERS = /^docs\/(?:operating|start)\/|^docs\/writing-a-backend/;
const sources = [
  "apps/docs/index.md",
  ...pages
    .map(({ source }) => source)
    .filter((path) => path.startsWith("docs/") && !SERVERS.test(path)),
];

describe.each(sources)("%s", (source) => {
  const blocks = codeBlocks(join(root, source)).filter(({ info }) => info === "ts");
  test.skipIf(blocks.length === 0)("runs and prints what it says", async () => {
    for (const block of blocks) await runExample(block, { resolveFrom: import.meta.dirname });
  });
});
