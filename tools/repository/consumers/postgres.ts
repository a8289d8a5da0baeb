import { PostgresBackend } from "@fs/postgres";

// A path that no rule admits is refused before any server is asked.
const backend = new PostgresBackend({ url: "postgres://nobody@127.0.0.1:1/none" });
const { error } = await backend.read("not/absolute");
if (error === undefined) throw new Error("expected an error for a relative path");
process.exit(0);
