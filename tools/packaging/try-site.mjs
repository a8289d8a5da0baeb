// `node tools/packaging/try-site.mjs`: does what the first pages of the site say, as a reader would, with the packages of a registry
// on this machine: every command and program of them in order, and compares what they are shown to print. Then runs a program for
// deepagents and what the page on migrating makes of it. Needs PostgreSQL; exits with 1 when anything is otherwise.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, installIfStale } from "../bootstrap/prepare.mjs";
import { npmrcFor, publishAll, startRegistry } from "./loopback-registry.mjs";
import { runQuietly } from "./run-quietly.mjs";

const PAGES = ["docs/start/agent-on-postgres.md", "docs/start/custom-backend.md"];
const MIGRATION = ["help-desk-deepagents", "help-desk-migrated"];
/** What the page on migrating says will be otherwise. */
const DIFFERS = { "replaced: true": "replaced: false" };

installIfStale();
for (const folder of [
  "tools/repository",
  "tools/readme-examples",
  "tools/test-servers",
  "examples",
])
  build(folder);
const { missingParts, publicPackages, root } = await import("../repository/dist/workspace.js");
const { buildPackages, packAll } = await import("../repository/dist/tarballs.js");
const { codeBlocks } = await import("../readme-examples/dist/index.js");
const { startPostgres } = await import("../test-servers/dist/index.js");

const problems = [];
const say = (text) => console.log(text);
function compare(what, missing) {
  if (missing.length === 0) return say(`ok    ${what}`);
  problems.push(what);
  say(`WRONG ${what}: not printed: ${missing.join(" | ")}`);
}

/** One page in a folder of its own, block by block. */
async function follow(page, project, environment) {
  mkdirSync(project);
  writeFileSync(join(project, ".npmrc"), npmrcFor(registry));
  let programs = 0;
  let printed = "";
  const shell = async (command) => {
    // A suite that finds faults ends with another code than 0; what it printed is what the page shows.
    const failing = `${command} || echo "[ended with $?]"`;
    printed = await runQuietly("sh", ["-c", failing], project, environment);
  };
  const among = (lines) => lines.filter((line) => !printed.includes(line));
  for (const { info, title, code } of codeBlocks(join(root, page))) {
    if (info === "sh") {
      const lines = code.split("\n").map((line) => line.replace(/^mkdir \S+ && cd \S+$/, ""));
      for (const line of lines.filter((one) => one !== "" && !one.startsWith("export "))) {
        await shell(line);
        compare(`${title}: ${line}`, printed.includes("[ended with") ? [printed] : []);
      }
    } else if (info === "ts") {
      programs += 1;
      const file = `program-${programs}.mjs`;
      writeFileSync(join(project, file), code);
      await shell(`node ${file}`);
      const shown = [...code.matchAll(/\/\/ prints: (.*?)\s*$/gm)].map((match) => match[1]);
      compare(`${title}: ${file}`, printed.includes("[ended with") ? [printed] : among(shown));
    } else if (info === "js") {
      const [, file] = /^\/\/ (\S+)\n/.exec(code);
      writeFileSync(join(project, file), code);
    } else if (info === "diff") {
      // The lines before it are in exactly one of the files that were saved.
      const sides = ["-", "+"].map((mark) =>
        code
          .split("\n")
          .filter((line) => line.startsWith(" ") || line.startsWith(mark))
          .map((line) => line.slice(1))
          .join("\n"),
      );
      const file = join(project, "backend.mjs");
      const before = readFileSync(file, "utf8");
      compare(`${title}: applies`, before.split(sides[0]).length === 2 ? [] : [sides[0]]);
      writeFileSync(
        file,
        before.replace(sides[0], () => sides[1]),
      );
    } else if (info === "console") {
      const lines = code.split("\n").filter((line) => line !== "");
      const [first, ...shown] = lines[0].startsWith("$ ") ? lines : ["", ...lines];
      if (first !== "") await shell(first.slice(2));
      compare(`${title}: ${first === "" ? "what it prints" : first.slice(2)}`, among(shown));
    } else say(`-     ${title}: not run (${info})`);
  }
}

/** The same program before and after it was migrated. */
async function migrate(project) {
  mkdirSync(project);
  writeFileSync(join(project, ".npmrc"), npmrcFor(registry));
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  const ours = ["agent", "disk", "protocol", "state", "store"].map((name) => `@fs/${name}`);
  const theirs = ["deepagents", "langchain", "@langchain/core", "@langchain/langgraph", "zod"];
  await runQuietly("npm", ["install", "--no-audit", "--no-fund", ...ours, ...theirs], project);
  const printed = [];
  for (const name of MIGRATION) {
    cpSync(join(root, "examples/dist", `${name}.js`), join(project, `${name}.js`));
    const all = await runQuietly(process.execPath, [`${name}.js`], project);
    printed.push(all.split("\n").filter((line) => /^[a-z ]+: /.test(line)));
  }
  const [before, after] = printed;
  const wanted = before.map((line) => DIFFERS[line] ?? line);
  compare(
    `${before.length} lines of ${MIGRATION[1]}`,
    wanted.filter((line, at) => after[at] !== line),
  );
}

const folder = mkdtempSync(join(tmpdir(), "fs-site-"));
let registry;
let postgres;
try {
  const packages = publicPackages().filter((pkg) => missingParts(pkg).length === 0);
  await buildPackages(packages);
  const tarballs = await packAll(packages, folder);
  registry = await startRegistry(join(folder, "registry"));
  await publishAll(registry, tarballs.values(), join(folder, "publisher"));
  say(`published ${tarballs.size} packages`);
  postgres = await startPostgres();
  const environment = { DATABASE_URL: postgres.info.url };
  for (const page of PAGES) {
    say(`\n${page}`);
    await follow(page, join(folder, page.replaceAll(/\W/g, "-")), environment);
  }
  say("\ndocs/migrating-from-deepagents.md");
  await migrate(join(folder, "migrated"));
} finally {
  await postgres?.stop();
  await registry?.stop();
  rmSync(folder, { recursive: true, force: true });
}
say(`\n${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
