// Every fault that can be put into a package, from its compiled modules.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "../bootstrap/repository.mjs";
import { faultsOf } from "./faults.mjs";

/** What the rules are implemented by: the protocol, and every storage. */
export const PACKAGES = [
  "protocol",
  "disk",
  "hub",
  "postgres",
  "redis",
  "s3",
  "shell",
  "staging",
  "state",
  "store",
];

/** The faults of a package, each with the digest of its module: a verdict is worth nothing once the module has changed. */
export function possibleFaults(name) {
  const dist = `${root}/packages/${name}/dist`;
  if (!existsSync(dist)) throw new Error(`packages/${name} is not built: run 'npm run build'.`);
  return readdirSync(dist, { recursive: true })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".js"))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .flatMap((module) => faultsOfModule(name, module));
}

function faultsOfModule(name, module) {
  const code = readFileSync(`${root}/packages/${name}/dist/${module}`, "utf8");
  const digest = createHash("sha256").update(code).digest("hex").slice(0, 12);
  return faultsOf(code).map((fault) => ({
    package: name,
    module,
    digest,
    line: code.slice(0, fault.start).split("\n").length,
    shown: code
      .slice(code.lastIndexOf("\n", fault.start) + 1)
      .split("\n")[0]
      .trim(),
    ...fault,
  }));
}
