import { readFileSync } from "node:fs";
import { root } from "./repository.mjs";

/** Ends this process with a sentence when its Node is older than package.json's "engines" says. */
export function requireSupportedNode() {
  const { engines } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  const [, wantMajor, wantMinor] = (/(\d+)\.(\d+)/.exec(engines.node) ?? []).map(Number);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return;
  console.error(`This needs Node ${engines.node}; this is Node ${process.versions.node}.`);
  process.exit(1);
}
