// `node tools/packaging/try-release.mjs [--managers npm,pnpm,yarn] [PACKAGE …]`: what a release would be for its users. Publishes
// every package to a registry on this machine and installs each alone; type-checks with several compilers; runs on several
// runtimes. Takes about fifteen minutes; exits with 1 when anything is wrong. Packages of others come from the usual registry.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { build, installIfStale } from "../bootstrap/prepare.mjs";
import { startRegistry, publishAll } from "./loopback-registry.mjs";
import { installedPackages, managers } from "./package-managers.mjs";
import { runQuietly } from "./run-quietly.mjs";
import { installRuntimes } from "./runtimes.mjs";

const COMPILERS = { 5.6: "typescript@5.6", 5.9: "typescript@5.9", 7: "typescript@7" };
const RESOLUTIONS = ["nodenext", "bundler"];
const PEER = "1.14.1";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { managers: { type: "string", default: Object.keys(managers).join(",") } },
});

installIfStale();
build("tools/repository");
const repository = await import("../repository/dist/workspace.js");
const { foreignPackages } = await import("../repository/dist/foreign-packages.js");
const { buildPackages, packAll } = await import("../repository/dist/tarballs.js");
const { importedModules } = await import("../repository/dist/source-imports.js");
const all = repository.workspacePackages();
// One that is still being written is not released.
const published = repository
  .publicPackages()
  .filter((pkg) => repository.missingParts(pkg).length === 0);
const chosen = published.filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);

const problems = [];
const started = Date.now();
function say(text) {
  console.log(`[${String(Math.round((Date.now() - started) / 1000)).padStart(4)} s] ${text}`);
}
async function attempt(what, task) {
  try {
    const result = await task();
    say(`ok    ${what}${result === undefined ? "" : `: ${result}`}`);
    return true;
  } catch (error) {
    problems.push(`${what}\n${error.message}`);
    say(`WRONG ${what}: ${error.message.split("\n").slice(0, 40).join("\n        ")}`);
    return false;
  }
}

const consumerOf = (pkg) =>
  join(repository.root, "tools/repository/consumers", `${basename(pkg.folder)}.ts`);
const requiredPeers = (manifest) =>
  Object.entries(manifest.peerDependencies ?? {}).filter(
    ([name]) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
  );

/** What a user writes into `package.json`: the package, what the program imports by name, and the peers that nothing else installs. */
async function dependenciesOf(pkg, installsPeers) {
  const closure = repository.workspaceClosure(pkg, all);
  const peers = Object.fromEntries(closure.flatMap(({ manifest }) => requiredPeers(manifest)));
  const imported = importedModules("consumer.ts", await readFile(consumerOf(pkg), "utf8"))
    .filter((specifier) => !specifier.startsWith("node:"))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0]);
  const own = [pkg.name, ...imported].map((name) => {
    const found = all.find((one) => one.name === name);
    return [name, found === undefined ? (peers[name] ?? "*") : found.manifest.version];
  });
  return { ...(installsPeers ? {} : peers), ...Object.fromEntries(own) };
}

function writeProject(folder, dependencies) {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "consumer", private: true, type: "module", dependencies };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
}

/** Types are taken off by the repository's compiler; what it says of them is asked elsewhere. */
async function compile(project, file) {
  const tsc = join(repository.root, "node_modules/typescript/bin/tsc");
  const flags = [
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--noCheck",
    "--types",
    "",
    "--rewriteRelativeImportExtensions",
    "false",
  ];
  await runQuietly(process.execPath, [tsc, file, ...flags], project);
}

async function installsAlone(pkg, name, registry, folder) {
  const { install, installsPeers } = managers[name];
  const project = join(folder, `${basename(pkg.folder)}-${name}`);
  writeProject(project, await dependenciesOf(pkg, installsPeers));
  await install(project, registry);
  const installed = installedPackages(project);
  const foreign = foreignPackages(pkg, installed, all);
  if (foreign.length > 0) throw new Error(foreign.join(", "));
  copyFileSync(consumerOf(pkg), join(project, "consumer.ts"));
  await compile(project, "consumer.ts");
  await runQuietly(process.execPath, ["consumer.js"], project);
  rmSync(project, { recursive: true });
  return `${installed.length} packages`;
}

/** Every package, the peer and three compilers in one project, which npm refuses when two peers contradict each other. */
async function installTogether(registry, folder) {
  const project = join(folder, "together");
  const wanted = {
    ...Object.fromEntries(chosen.map(({ name, manifest }) => [name, manifest.version])),
    deepagents: PEER,
    "@types/node": "20",
  };
  for (const [key, alias] of Object.entries(COMPILERS)) wanted[`ts-${key}`] = `npm:${alias}`;
  writeProject(project, wanted);
  await managers.npm.install(project, registry);
  for (const pkg of chosen) {
    const file = `${basename(pkg.folder)}.ts`;
    copyFileSync(consumerOf(pkg), join(project, file));
    await compile(project, file);
  }
  return project;
}

async function typeCheck(project, compiler, resolution) {
  const compilerOptions = {
    target: "es2022",
    module: resolution === "bundler" ? "esnext" : "nodenext",
    moduleResolution: resolution,
    lib: ["es2023", "esnext.disposable"],
    strict: true,
    noEmit: true,
    types: ["node"],
  };
  const files = chosen.map(({ folder }) => `${basename(folder)}.ts`);
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const tsc = join(project, `node_modules/ts-${compiler}/bin/tsc`);
  const printed = await runQuietly(
    process.execPath,
    [tsc, "-p", ".", "--pretty", "false"],
    project,
  ).catch((error) => error.message);
  // Declarations of others are not ours to mend; ours are checked wherever they are read.
  const lines = printed.split("\n").filter((line) => line.includes(": error TS"));
  const ours = lines.filter((line) => /^(?:[\w-]+\.ts|node_modules\/@fs\/)/.test(line));
  if (ours.length > 0) throw new Error(ours.join("\n"));
  if (lines.length === 0 && printed.includes("error")) throw new Error(printed);
  return `${lines.length} errors in the types of others`;
}

const folder = mkdtempSync(join(tmpdir(), "fs-release-"));
let registry;
try {
  await buildPackages(published);
  const tarballs = await packAll(published, folder);
  say(`packed ${tarballs.size} packages`);
  registry = await startRegistry(join(folder, "registry"));
  say("the registry answers");
  await publishAll(registry, tarballs.values(), join(folder, "publisher"));
  say(`published ${tarballs.size} packages`);
  for (const name of values.managers.split(","))
    for (const pkg of chosen)
      await attempt(`${pkg.name} alone, by ${name}`, () =>
        installsAlone(pkg, name, registry, folder),
      );
  let project = "";
  await attempt(`everything beside deepagents ${PEER}, by npm`, async () => {
    project = await installTogether(registry, folder);
  });
  if (project !== "") {
    for (const compiler of Object.keys(COMPILERS))
      for (const resolution of RESOLUTIONS)
        await attempt(`types by TypeScript ${compiler}, ${resolution}`, () =>
          typeCheck(project, compiler, resolution),
        );
    for (const runtime of await installRuntimes(join(folder, "runtimes"))) {
      if (runtime.missing !== undefined) say(`NOT TRIED ${runtime.name}: ${runtime.missing}`);
      else
        for (const pkg of chosen)
          await attempt(`${pkg.name} on ${runtime.name} (${runtime.version})`, async () => {
            const file = `${basename(pkg.folder)}.js`;
            await runQuietly(runtime.program, [...runtime.args, file], project);
          });
    }
  }
} finally {
  await registry?.stop();
  rmSync(folder, { recursive: true, force: true });
}
say(`${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
