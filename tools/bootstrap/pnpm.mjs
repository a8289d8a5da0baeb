// `node tools/bootstrap/pnpm.mjs ARGUMENTS`: the pinned pnpm, on a machine that has only Node and npm.
import { requireSupportedNode } from "./check-node.mjs";
import { runPnpm } from "./run.mjs";

requireSupportedNode();
runPnpm(process.argv.slice(2));
