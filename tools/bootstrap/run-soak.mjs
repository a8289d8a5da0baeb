// `npm run soak [-- --minutes 10]`: four processes on every storage, killed and cut off every few seconds.
import { requireSupportedNode } from "./check-node.mjs";
import { installMissingDebianPackages } from "./debian-packages.mjs";
import { build, installIfStale } from "./prepare.mjs";
import { root } from "./repository.mjs";
import { runOrExit } from "./run.mjs";

requireSupportedNode();
installIfStale();
installMissingDebianPackages();
build("tools/soak");
runOrExit(process.execPath, [`${root}/tools/soak/dist/main.js`, ...process.argv.slice(2)], {
  env: { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
});
