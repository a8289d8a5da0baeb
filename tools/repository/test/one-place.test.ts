import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { onePlaceViolations, sourcesOf } from "../src/one-place.js";
import { root, workspacePackages } from "../src/workspace.js";

const published = workspacePackages().filter(
  ({ area, folder }) => area !== "tools" && existsSync(join(root, folder, "src")),
);

test.each(published)(
  "$name starts processes and opens connections in one place each, with a listener of errors",
  ({ folder }) => {
    expect(onePlaceViolations(sourcesOf(root, folder))).toEqual([]);
  },
);

describe("the rule bites on", () => {
  const listens = `child.on("error", () => undefined);`;
  test.each<[string, Record<string, string>, string]>([
    [
      "a process started in two files",
      {
        "a.ts": `import { spawn } from "node:child_process"; ${listens}`,
        "b.ts": `import { fork } from "node:child_process"; ${listens}`,
      },
      "node:child_process is opened in a.ts and b.ts",
    ],
    [
      "a client made in two files, one of them lazily",
      {
        "a.ts": `import { S3Client } from "@aws-sdk/client-s3";`,
        "b.ts": `const sdk = await import("@aws-sdk/client-s3");`,
      },
      "@aws-sdk/client-s3 is opened in a.ts and b.ts",
    ],
    [
      "a whole module",
      { "a.ts": `import * as processes from "node:child_process";` },
      "a.ts: opens with node:child_process, and has no listener of errors",
    ],
    [
      "a server without a listener of errors",
      { "a.ts": `import { createServer } from "node:http"; server.once("error", reject);` },
      "a.ts: opens with node:http, and has no listener of errors",
    ],
    [
      "a pool without a listener of errors",
      { "a.ts": `const { default: pg } = await import("pg"); new pg.Pool();` },
      "a.ts: opens with pg, and has no listener of errors",
    ],
    [
      "a signal by number",
      { "a.ts": `process.kill(pid, "SIGKILL");` },
      "a.ts: signals a process by its number",
    ],
    [
      "a timer that is not cleared",
      { "a.ts": `setTimeout(() => reject(), 1000);` },
      "a.ts: starts a timer and never clears it",
    ],
  ])("%s", (_, files, sentence) => {
    const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
    expect(onePlaceViolations(sources)).toContain(sentence);
  });

  test("nothing that is allowed", () => {
    const sources = [
      { path: "a.ts", text: `import type { ChildProcess } from "node:child_process";` },
      { path: "b.ts", text: `import { type Server, spawn } from "node:child_process"; ${listens}` },
      { path: "c.ts", text: `import { GetObjectCommand } from "@aws-sdk/client-s3";` },
      { path: "d.ts", text: `const t = setTimeout(end, 5); clearTimeout(t);` },
    ];
    expect(onePlaceViolations(sources)).toEqual([]);
  });
});
