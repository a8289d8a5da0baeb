import { LocalShellBackend } from "@fs/shell";

const backend = new LocalShellBackend({ rootDir: process.cwd() });
const { output, exitCode } = await backend.execute("echo hello");
if (exitCode !== 0 || !output.includes("hello")) throw new Error(output);
