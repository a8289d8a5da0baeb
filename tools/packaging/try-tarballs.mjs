// `node tools/packaging/try-tarballs.mjs`: `fs-agent` and the first program of the README from tarballs, installed by npm into an
// empty folder and run, on Node.js 20, 22 and 24. Prints a table; exits with 1 when anything is wrong. Takes a few minutes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, installIfStale } from "../bootstrap/prepare.mjs";
import { installedPackages } from "./package-managers.mjs";
import { runQuietly } from "./run-quietly.mjs";
import { installRuntimes } from "./runtimes.mjs";

const NODES = ["node 20", "node 22", "node 24"];
const CLIENT = "@modelcontextprotocol/client";
const QUICK_START = `# Notes
- read: done
- write: done

already_exists
[ '/notes.md', '/workspace/' ]
`;

/** An MCP client that starts the installed program, edits one file twenty times at once, and prints what is left of it. */
const MCP_CLIENT = `
import { Client } from "${CLIENT}";
import { StdioClientTransport } from "${CLIENT}/stdio";
const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
const args = ["node_modules/@fs/cli/lib/main.js", "mcp", "--write"];
await client.connect(new StdioClientTransport({ command: process.execPath, args }));
const numbers = Array.from({ length: 20 }, (_, number) => number);
const call = async (name, values) => {
  const result = await client.callTool({ name, arguments: values });
  if (result.isError) throw new Error(JSON.stringify(result));
  return result.structuredContent;
};
const content = numbers.map((number) => "line " + number + ".\\n").join("");
await call("write_file", { file_path: "/shared.txt", content });
await Promise.all(numbers.map((number) =>
  call("edit_file", { file_path: "/shared.txt", old_string: "line " + number + ".", new_string: "done" })));
const read = await call("read_file", { file_path: "/shared.txt" });
console.log(read.content.split("\\n").filter((line) => line === "done").length);
await client.close();
`;

installIfStale();
build("tools/repository");
build("tools/readme-examples");
const { workspaceClosure, workspacePackages, root } =
  await import("../repository/dist/workspace.js");
const { buildPackages, packAll, unpackedBytes } = await import("../repository/dist/tarballs.js");
const { readmeExamples } = await import("../readme-examples/dist/index.js");

const all = workspacePackages();
const closureOf = (...names) => [
  ...new Set(
    names.flatMap((name) =>
      workspaceClosure(
        all.find((pkg) => pkg.name === name),
        all,
      ),
    ),
  ),
];

const problems = [];
function expectSame(what, got, wanted) {
  if (got.trim() === wanted.trim()) return;
  problems.push(what);
  console.log(`WRONG ${what}: ${JSON.stringify(got)} and not ${JSON.stringify(wanted)}`);
}

const folder = mkdtempSync(join(tmpdir(), "fs-tarballs-"));
try {
  const wanted = { cli: closureOf("@fs/cli"), quick: closureOf("@fs/protocol", "@fs/disk") };
  const packed = [...new Set([...wanted.cli, ...wanted.quick])];
  await buildPackages(packed);
  const tarballs = await packAll(packed, folder);
  const bytes = await Promise.all(wanted.cli.map(({ name }) => unpackedBytes(tarballs.get(name))));
  const npmProgram = join(
    (await runQuietly("npm", ["root", "--global"], folder)).trim().split("\n").at(-1),
    "npm/bin/npm-cli.js",
  );
  const rows = [];
  for (const runtime of await installRuntimes(join(folder, "runtimes"), NODES)) {
    if (runtime.missing !== undefined) {
      problems.push(runtime.name);
      console.log(`WRONG ${runtime.name}: ${runtime.missing}`);
      continue;
    }
    const { name, program, version } = runtime;
    /** An empty folder with tarballs in it, installed by npm on this very Node. */
    const install = async (purpose, packages, others = []) => {
      const project = join(folder, `${name.replace(" ", "-")}-${purpose}`);
      mkdirSync(project);
      writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
      const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
      const files = packages.map((pkg) => tarballs.get(pkg.name));
      await runQuietly(program, [npmProgram, "install", ...flags, ...files, ...others], project);
      return project;
    };
    const quick = await install("quick", wanted.quick);
    const [{ code }] = readmeExamples(join(root, "README.md"));
    writeFileSync(join(quick, "start.mjs"), code);
    expectSame(
      `the quick start on ${version}`,
      await runQuietly(program, ["start.mjs"], quick),
      QUICK_START,
    );

    const project = await install("cli", wanted.cli, [CLIENT]);
    const main = join(project, "node_modules/@fs/cli/lib/main.js");
    const agent = (...args) => runQuietly(program, [main, ...args], project);
    expectSame(`ls without a configuration on ${version}`, await agent("ls"), "/workspace/");
    const config = { routes: { "/": { use: "disk", rootDir: "files" }, "/m/": { use: "memory" } } };
    mkdirSync(join(project, "files"));
    writeFileSync(join(project, "fs.config.json"), JSON.stringify(config));
    writeFileSync(join(project, "a.txt"), "one\ntwo\n");
    await agent("upload", "a.txt");
    await agent("edit", "/a.txt", "two", "2");
    await agent("mv", "/a.txt", "/b.txt");
    expectSame(`grep on ${version}`, await agent("grep", "2"), "/b.txt:2:2");
    expectSame(
      `the host's file on ${version}`,
      readFileSync(join(project, "files/b.txt"), "utf8"),
      "one\n2",
    );
    const { routes } = JSON.parse(await agent("--json", "doctor"));
    const honoured = routes.every((route) => Object.values(route.conditions).every(Boolean));
    expectSame(`doctor on ${version}`, String(honoured), "true");
    writeFileSync(join(project, "client.mjs"), MCP_CLIENT);
    const kept = await runQuietly(program, ["client.mjs"], project);
    expectSame(`20 parallel edits by MCP on ${version}`, kept, "20");
    const { length } = installedPackages(project);
    rows.push([version, length, (bytes.reduce((sum, size) => sum + size) / 1e6).toFixed(2)]);
  }
  console.log("| Node.js | packages, with the test's client | MB unpacked of ours |");
  console.log("| --- | --- | --- |");
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
