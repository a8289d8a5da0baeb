import { EXIT, runProgram } from "@fs/cli";

const code = await runProgram(["ls"]);
if (code !== EXIT.ok) throw new Error(`ended with ${code}`);
