import { S3Backend } from "@fs/s3";

// A path that no rule admits is refused before any server is asked.
const backend = new S3Backend({ bucket: "none" });
const { error } = await backend.read("not/absolute");
if (error === undefined) throw new Error("expected an error for a relative path");
process.exit(0);
