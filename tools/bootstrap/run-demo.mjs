// `npm run demo [-- DIR]`: from a fresh clone to the running demo.
import { requireSupportedNode } from "./check-node.mjs";
import { build, installIfStale } from "./prepare.mjs";
import { root } from "./repository.mjs";
import { runOrExit } from "./run.mjs";

requireSupportedNode();
installIfStale();
build("apps/demo");
runOrExit(process.execPath, [`${root}/apps/demo/dist/main.js`, ...process.argv.slice(2)], {
  // A relative DIR means what it meant in the folder where npm was called.
  cwd: process.env["INIT_CWD"] ?? root,
});
