import { existsSync, readFileSync } from "node:fs";
import { root } from "./repository.mjs";
import { runInstalled, runPnpm } from "./run.mjs";

/** Installs the dependencies exactly as the lockfile says, unless that is what is there already. */
export function installIfStale() {
  if (isInstalled()) return;
  console.error("Installing dependencies ...");
  runPnpm(["install", "--frozen-lockfile"]);
}

/** Compiles the given projects and all that they refer to; without any, everything. */
export function build(...projects) {
  console.error("Building ...");
  runInstalled("typescript/bin/tsc", ["-b", ...projects]);
}

/** pnpm keeps a copy of the lockfile that it last installed. */
function isInstalled() {
  const installed = `${root}/node_modules/.pnpm/lock.yaml`;
  return (
    existsSync(installed) &&
    readFileSync(installed, "utf8") === readFileSync(`${root}/pnpm-lock.yaml`, "utf8")
  );
}
