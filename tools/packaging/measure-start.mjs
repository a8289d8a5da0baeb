// `node tools/packaging/measure-start.mjs [--rounds 9] [--write]`: what a start costs a user. Packs the packages, lays each out as it
// is installed, and measures processes that import it beside a bare Node and beside `deepagents`, one after the other in each
// round: CPU milliseconds and resident megabytes over the bare Node, and the bytes that are unpacked. Prints the page, or writes it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, installIfStale } from "../bootstrap/prepare.mjs";
import { importing, processCost } from "./process-cost.mjs";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "9" }, write: { type: "boolean", default: false } },
});
const PAGE = "docs/benchmarks/start.md";
/** What `ls` may cost over a bare Node. */
const BUDGET = 110;
const rounds = Number(values.rounds);

installIfStale();
build("tools/repository");
const { publicPackages, missingParts, root, workspaceClosure, workspacePackages } =
  await import("../repository/dist/workspace.js");
const { buildPackages, packAll, unpackedBytes } = await import("../repository/dist/tarballs.js");
const { layOut } = await import("../repository/dist/packed-layout.js");

/** `fs-agent ls` of files in memory, and of the same on disk. */
function listings(project) {
  mkdirSync(join(project, "files"));
  const roots = { memory: { use: "memory" }, disk: { use: "disk", rootDir: "files" } };
  return Object.entries(roots).map(([name, route]) => {
    writeFileSync(join(project, `${name}.json`), JSON.stringify({ routes: { "/": route } }));
    return {
      name: `fs-agent ls, ${name}`,
      cwd: project,
      args: ["node_modules/@fs/cli/lib/main.js", "--config", `${name}.json`, "ls"],
    };
  });
}

function pageOf(rows, bare) {
  const [processor] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const load = loadavg()[0].toFixed(1);
  return `<!-- Written by \`node tools/packaging/measure-start.mjs --write\`; do not edit. -->

# Start

What an import of each package costs a process, as it is installed from its tarball, beside \`deepagents\`, \`langchain\` and a Node.js that does nothing: the median
over the rounds of what is more than that. A start of \`fs-agent ls\` may cost ${BUDGET} CPU ms; the script fails when it costs more.

Node ${process.version}, ${processor?.model.trim() ?? "unknown"}, ${cpus().length} cores, ${process.platform}, ${date}, load ${load}; ${rounds} rounds; a bare Node: ${bare.toFixed(0)} CPU ms.

| process | CPU ms over a bare Node | of \`deepagents\` | whole CPU, of bare | MB over bare | KB of ours |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const folder = mkdtempSync(join(tmpdir(), "fs-start-"));
const costOf = processCost(folder);
try {
  const all = workspacePackages();
  const packages = publicPackages().filter((pkg) => missingParts(pkg).length === 0);
  await buildPackages(packages);
  const tarballs = await packAll(packages, folder);
  const subjects = [];
  for (const pkg of packages) {
    const project = join(folder, pkg.name.replace("@fs/", ""));
    await layOut(pkg, { all, tarballs, project });
    const sizes = await Promise.all(
      workspaceClosure(pkg, all).map(({ name }) => unpackedBytes(tarballs.get(name))),
    );
    const kilobytes = sizes.reduce((sum, size) => sum + size) / 1000;
    subjects.push({
      name: pkg.name,
      cwd: project,
      args: importing(`import "${pkg.name}";`),
      kilobytes,
    });
    const read = `import { FilesystemBackend } from "@fs/disk"; await new FilesystemBackend({ rootDir: "." }).read("/package.json");`;
    if (pkg.name === "@fs/disk")
      subjects.push({ name: "@fs/disk, first read", cwd: project, args: importing(read) });
    if (pkg.name === "@fs/cli") subjects.push(...listings(project));
  }
  const peerHome = realpathSync(
    join(root, "packages/middleware/node_modules/deepagents/package.json"),
  );
  const peers = ["deepagents", "langchain"].map((name) => ({
    name,
    cwd: join(peerHome, "../.."),
    args: importing(`import "${name}";`),
  }));
  const bare = { name: "node", cwd: folder, args: importing("") };
  const everything = [bare, ...peers, ...subjects];
  const costs = new Map(everything.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const one of everything) costs.get(one.name).push(costOf(one));
  const over = (name, what) =>
    median(costs.get(name).map((cost, round) => cost[what] - costs.get(bare.name)[round][what]));
  const whole = (name) =>
    median(costs.get(name).map(({ cpu }, round) => cpu / costs.get(bare.name)[round].cpu));
  const peerCpu = over("deepagents", "cpu");
  const rows = [...peers, ...subjects].map(({ name, kilobytes }) => {
    const cpu = over(name, "cpu");
    const cells = [
      name,
      cpu.toFixed(0),
      (cpu / peerCpu).toFixed(3),
      whole(name).toFixed(2),
      over(name, "rss").toFixed(1),
      kilobytes?.toFixed(0) ?? "–",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const page = pageOf(rows, median(costs.get("node").map(({ cpu }) => cpu)));
  if (values.write) {
    writeFileSync(join(root, PAGE), page);
    const oxfmt = join(root, "node_modules/.bin/oxfmt");
    execFileSync(oxfmt, [PAGE], { cwd: root });
  }
  console.log(page);
  for (const { name } of subjects.filter((subject) => subject.name.startsWith("fs-agent")))
    if (over(name, "cpu") > BUDGET) {
      console.log(`${name}: more than ${BUDGET} CPU ms over a bare Node`);
      process.exitCode = 1;
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
