import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importing, processCost } from "../../../tools/packaging/process-cost.mjs";

/**
 * CPU milliseconds of importing the packed agent, `deepagents` and `langchain` alone, over a bare Node: a list for each, one
 * entry for each round, in which all run one after the other.
 */
export async function importCosts(rounds) {
  const { workspaceClosure, workspacePackages } =
    await import("../../../tools/repository/dist/workspace.js");
  const { buildPackages, packAll } = await import("../../../tools/repository/dist/tarballs.js");
  const { layOut } = await import("../../../tools/repository/dist/packed-layout.js");
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "fs-agent-import-"));
  try {
    const all = workspacePackages();
    const pkg = all.find(({ name }) => name === "@fs/agent");
    const closure = workspaceClosure(pkg, all);
    await buildPackages(closure);
    const project = join(folder, "project");
    await layOut(pkg, { all, tarballs: await packAll(closure, folder), project });
    const cost = processCost(folder);
    const peers = join(import.meta.dirname, "..");
    const subjects = [
      ["bare", folder, ""],
      ["langchain", peers, `import "langchain";`],
      ["agent", project, `import "@fs/agent";`],
      ["deepagents", peers, `import "deepagents";`],
    ];
    const costs = Object.fromEntries(subjects.map(([name]) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (const [name, cwd, source] of subjects)
        costs[name].push(cost({ cwd, args: importing(source) }).cpu);
    return costs;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
