// What every script here needs to know of the repository. No dependencies: these scripts run before
// anything is installed.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The absolute folder of the repository, without a trailing slash. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "");

/** The one version of pnpm that this repository is installed with, from `packageManager`. */
export function pnpmVersion() {
  const { packageManager } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  const [name, version] = String(packageManager).split("@");
  if (name !== "pnpm" || version === undefined)
    throw new Error(`package.json must pin pnpm in "packageManager", not ${packageManager}`);
  return version;
}
