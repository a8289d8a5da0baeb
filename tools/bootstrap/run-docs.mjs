// `npm run docs`: the documentation site, checked, in apps/docs/.build/site. Nothing is fetched after the install.
import { requireSupportedNode } from "./check-node.mjs";
import { build, installIfStale } from "./prepare.mjs";
import { root } from "./repository.mjs";
import { runOrExit } from "./run.mjs";

requireSupportedNode();
installIfStale();
build("apps/docs");
runOrExit(process.execPath, [`${root}/apps/docs/dist/build-site.js`, ...process.argv.slice(2)]);
