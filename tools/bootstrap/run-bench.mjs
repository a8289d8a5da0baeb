// `npm run bench [-- options]`: every suite, its results and its pages, in docs/benchmarks.
import { requireSupportedNode } from "./check-node.mjs";
import { build, installIfStale } from "./prepare.mjs";
import { root } from "./repository.mjs";
import { runOrExit } from "./run.mjs";

requireSupportedNode();
installIfStale();
build("tools/bench");
runOrExit(process.execPath, [`${root}/tools/bench/dist/main.js`, ...process.argv.slice(2)]);
