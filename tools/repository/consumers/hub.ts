import { ContextHubBackend } from "@fs/hub";

// A path that no rule admits is refused before any server is asked.
const backend = new ContextHubBackend("owner/name");
const { error } = await backend.read("not/absolute");
if (error === undefined) throw new Error("expected an error for a relative path");
process.exit(0);
