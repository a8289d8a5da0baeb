// `node tools/packaging/test-on-node.mjs [24] [TEST FILE OR FOLDER …]`: runs tests on another version of Node from the registry, in a
// temporary folder. Without files: those of the bridges, whose frameworks do not all support the lowest version that the project
// does. Needs a build (`tsc -b`). Prints what the tests do, and exits with 1 when one fails or the version cannot be had.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installRuntimes } from "./runtimes.mjs";

const BRIDGES = ["node", "ai-sdk", "anthropic", "just-bash", "mastra", "openai-agents"].map(
  (name) => `packages/${name}/`,
);

const [version = "24", ...files] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "test-on-node-"));
try {
  const [runtime] = await installRuntimes(folder, [`node ${version}`]);
  if (runtime.missing !== undefined) throw new Error(runtime.missing);
  console.log(`Node ${runtime.version}`);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  // First in the path, so that the processes that tests start run on it too.
  const path = `${dirname(runtime.program)}${delimiter}${process.env["PATH"] ?? ""}`;
  const { status } = spawnSync(
    runtime.program,
    [vitest, "run", ...(files.length === 0 ? BRIDGES : files)],
    { cwd: root, stdio: "inherit", env: { ...process.env, PATH: path } },
  );
  process.exitCode = status === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
