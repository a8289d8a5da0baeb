import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
/** What is started: the compiled program, as a user gets it. */
export const MAIN = `${root}apps/cli/dist/main.js`;

/** Compiles the program and all it is made of. */
export async function build(): Promise<void> {
  const folders = [
    "apps/cli",
    "packages/postgres",
    "packages/s3",
    "packages/redis",
    "packages/shell",
  ];
  await promisify(execFile)(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, "-b", ...folders],
    {
      cwd: root,
    },
  );
}

/** How a run of the program ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and with what the program runs. */
export interface Start {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs `fs-agent`. */
export function fsAgent(
  args: readonly string[],
  { cwd, input = "", env = {} }: Start,
): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (data: string) => (stdout += data));
  child.stderr.setEncoding("utf8").on("data", (data: string) => (stderr += data));
  child.stdin.on("error", () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}
