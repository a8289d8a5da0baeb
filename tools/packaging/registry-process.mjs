// The registry itself, in a process of its own: listens on a port that the system gives, and says which one to its parent.
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.cwd(), "package.json"));
const { runServer } = require("verdaccio");
const server = await runServer(join(process.cwd(), "config.yaml"));
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
