// `npm test [-- VITEST ARGUMENTS]`: from a fresh clone to a full test run, servers included.
import { requireSupportedNode } from "./check-node.mjs";
import { installMissingDebianPackages } from "./debian-packages.mjs";
import { build, installIfStale } from "./prepare.mjs";
import { runInstalled } from "./run.mjs";

requireSupportedNode();
installIfStale();
installMissingDebianPackages();
build();
runInstalled("vitest/vitest.mjs", ["run", ...process.argv.slice(2)]);
