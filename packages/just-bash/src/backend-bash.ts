import { type AnyBackendProtocol, adaptBackendProtocol } from "@fs/protocol";
import { VolumeError } from "@fs/protocol/author";
import type { Bash, BashExecResult, BashOptions, ExecOptions } from "just-bash";
import { BashFilesystem } from "./bash-filesystem.js";
import { searchCommands } from "./search-commands.js";

/** Options of a `Bash`, but for its filesystem. */
export type BackendBashOptions = Omit<BashOptions, "fs" | "files">;

/**
 * A shell of just-bash over any backend: what its commands read and write is in the backend, `grep -r` and `rg` search there,
 * and the signal of `exec` reaches it.
 *
 * @param shell The class `Bash` of just-bash.
 * @example
 * const bash = backendBash(Bash, backend, { cwd: "/project" });
 * const { stdout } = await bash.exec("grep -rn TODO src | wc -l");
 */
export function backendBash(
  shell: new (options: BashOptions) => Bash,
  given: AnyBackendProtocol,
  options: BackendBashOptions = {},
): Bash {
  const backend = adaptBackendProtocol(given);
  const fs = new BashFilesystem(backend);
  const customCommands = [...searchCommands(fs, backend), ...(options.customCommands ?? [])];
  const bash = new shell({ cwd: "/", ...options, fs, customCommands });
  const exec = bash.exec.bind(bash);
  bash.exec = async (command: string, call?: ExecOptions): Promise<BashExecResult> => {
    // A script that runs another one is still the first.
    if (fs.isInScript) {
      fs.addScript(command);
      return exec(command, call);
    }
    return fs.inScript(command, call?.signal, async () => {
      const result = await exec(command, call).catch((error: unknown) => refused(error, bash));
      const problems = await fs.settle();
      if (problems.length === 0) return result;
      const said = problems.map(({ message }) => `bash: ${message}\n`).join("");
      return { ...result, stderr: result.stderr + said, exitCode: result.exitCode || 1 };
    });
  };
  return bash;
}

/** What a backend refuses once a command has run ends the script, as a result; anything else is thrown on. */
function refused(error: unknown, bash: Bash): BashExecResult {
  const isRefusal = error instanceof Error && VolumeError.isInstance(error.cause);
  if (!isRefusal || error.name === "AbortError") throw error;
  return { stdout: "", stderr: `bash: ${error.message}\n`, exitCode: 1, env: bash.getEnv() };
}

/**
 * The filesystem of just-bash over any backend, for a `Bash` of your own making. Every call goes to the backend at once, and
 * searches read file by file; {@link backendBash} spares most of both.
 */
export function bashFilesystem(backend: AnyBackendProtocol): BashFilesystem {
  return new BashFilesystem(backend);
}
