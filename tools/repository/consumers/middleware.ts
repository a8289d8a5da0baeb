import { createFilesystemMiddleware } from "@fs/middleware";
import { StateBackend } from "@fs/state";

const middleware = createFilesystemMiddleware({ backend: new StateBackend() });
const names = (middleware.tools ?? []).map((tool) => tool.name);
if (!names.includes("read_file")) throw new Error(`tools: ${names.join(", ")}`);
