// `npm test [-- VITEST ARGUMENTS]`: from a fresh clone to a full test run, servers included. Without arguments, three projects
// are left to `.ci/run`: what packs, installs and bundles the packages, the suite on further deployments, and on backends that
// are wrong.
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
  console.log(
    [
      "Left to .ci/run, or to npm test -- --project NAME:",
      "  deployments  the suite on further deployments of the backends (PGlite, sandboxes, ...), and long runs",
      "  teeth        the suite on hundreds of backends that are wrong, each of which must fail",
      "  published    the packages as users get them",
    ].join("\n"),
  );
runInstalled("vitest/vitest.mjs", [
  "run",
  ...(given.length > 0
    ? given
    : ["--project", "unit", "--project", "int", "--project", "own-process"]),
]);
