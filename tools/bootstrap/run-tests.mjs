// `npm test [-- VITEST ARGUMENTS]`: from a fresh clone to a full test run, servers included. Without arguments, what packs,
// installs and bundles the packages is left to `.ci/run`.
import { requireSupportedNode } from "./check-node.mjs";
import { installMissingDebianPackages } from "./debian-packages.mjs";
import { build, installIfStale } from "./prepare.mjs";
import { runInstalled } from "./run.mjs";

requireSupportedNode();
installIfStale();
installMissingDebianPackages();
build();
const given = process.argv.slice(2);
if (given.length === 0)
  console.log("The published packages are tried by .ci/run, or npm test -- --project published.");
runInstalled("vitest/vitest.mjs", [
  "run",
  ...(given.length > 0 ? given : ["--project", "unit", "--project", "int"]),
]);
