// How each package manager learns where the packages of this repository are, and installs a project.
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pnpmVersion } from "../bootstrap/repository.mjs";
import { npmrcFor } from "./loopback-registry.mjs";
import { runQuietly } from "./run-quietly.mjs";

const YARN = "@yarnpkg/cli-dist@4.18.1";

async function npm(project, registry) {
  writeFileSync(join(project, ".npmrc"), npmrcFor(registry));
  const flags = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await runQuietly("npm", ["install", ...flags], project);
}

async function pnpm(project, registry) {
  writeFileSync(join(project, ".npmrc"), npmrcFor(registry));
  // What was published a moment ago would be too young for some defaults, and a workspace above would be joined.
  writeFileSync(join(project, "pnpm-workspace.yaml"), "packages: []\nminimumReleaseAge: 0\n");
  const args = [
    "--yes",
    `pnpm@${pnpmVersion()}`,
    "install",
    "--ignore-scripts",
    "--prefer-offline",
  ];
  await runQuietly("npx", args, project);
}

async function yarn(project, registry) {
  const theirs = (await runQuietly("npm", ["config", "get", "registry"], project))
    .trim()
    .split("\n")
    .at(-1);
  const config = {
    nodeLinker: "node-modules",
    // What it remembers of a registry it keeps by the host without the port: an earlier run's would be asked.
    globalFolder: join(project, "../yarn"),
    enableScripts: false,
    enableTelemetry: false,
    enableImmutableInstalls: false,
    unsafeHttpWhitelist: ["127.0.0.1"],
    // What was published a moment ago would be too young for its liking.
    npmPreapprovedPackages: ["@fs/*"],
    npmRegistryServer: theirs,
    npmScopes: {
      fs: { npmRegistryServer: registry.url.replace(/\/$/, ""), npmAuthToken: registry.token },
    },
  };
  writeFileSync(join(project, ".yarnrc.yml"), JSON.stringify(config));
  // A lockfile of its own keeps it from looking for a project above.
  writeFileSync(join(project, "yarn.lock"), "");
  await runQuietly("npx", ["--yes", "--package", YARN, "yarn", "install"], project);
}

/** Each installs the project of a folder from its `package.json`. Only npm and pnpm install peers unasked. */
export const managers = {
  npm: { install: npm, installsPeers: true },
  pnpm: { install: pnpm, installsPeers: true },
  yarn: { install: yarn, installsPeers: false },
};

/** The names of all packages in a project, whoever installed them, sorted. */
export function installedPackages(project) {
  /** @type {Set<string>} */
  const names = new Set();
  const seen = new Set();
  const visit = (modules) => {
    if (!existsSync(modules)) return;
    const real = realpathSync(modules);
    if (seen.has(real)) return;
    seen.add(real);
    for (const entry of readdirSync(modules)) {
      const path = join(modules, entry);
      if (entry === ".pnpm")
        for (const one of readdirSync(path)) visit(join(path, one, "node_modules"));
      if (entry.startsWith(".")) continue;
      for (const folder of entry.startsWith("@")
        ? readdirSync(path).map((name) => join(path, name))
        : [path])
        visitPackage(folder);
    }
  };
  const visitPackage = (folder) => {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) return;
    names.add(JSON.parse(readFileSync(manifest, "utf8")).name);
    visit(join(folder, "node_modules"));
  };
  visit(join(project, "node_modules"));
  return [...names].filter(Boolean).toSorted();
}
