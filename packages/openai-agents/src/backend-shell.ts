import { type AnySandboxProtocol, adaptSandboxProtocol, isSandboxProtocol } from "@fs/protocol";
import { checkedConfiguration } from "@fs/protocol/author";
import type { Shell, ShellAction, ShellOutputResult, ShellResult } from "@openai/agents";

/** What runs commands and keeps its two outputs apart, such as a `Bash` of just-bash. */
export interface CommandRunner {
  exec(
    command: string,
    options: { signal?: AbortSignal },
  ): Promise<{ stdout: string; stderr: string; exitCode: number }>;
}

/** Options of {@link backendShell}. */
export interface BackendShellOptions {
  /** Milliseconds of a command at most, unless the model asks for less. Default 60,000. */
  readonly timeoutMs?: number;
  /** Characters of each output of a command at most, unless the model asks for less. Default 100,000. */
  readonly maxOutputLength?: number;
}

/**
 * A shell for `shellTool` of the OpenAI Agents SDK: commands run, one after the other, in a backend that can execute, or in
 * a shell such as `backendBash` of `@fs/just-bash`, which works over any backend. A command that takes too long ends the action.
 *
 * Throws a TypeError for wrong options, and for what runs no commands.
 *
 * @example
 * const tool = shellTool({ shell: backendShell(new LocalShellBackend({ rootDir })) });
 */
export function backendShell(
  runner: AnySandboxProtocol | CommandRunner,
  options: BackendShellOptions = {},
): Shell {
  checkedConfiguration("backendShell", options, {
    timeoutMs: "positive",
    maxOutputLength: "positive",
  });
  const run = runOf(runner);
  return {
    async run(action: ShellAction): Promise<ShellResult> {
      const timeoutMs = leastOf(action.timeoutMs, options.timeoutMs ?? 60_000);
      const maxOutputLength = leastOf(action.maxOutputLength, options.maxOutputLength ?? 100_000);
      const output: ShellOutputResult[] = [];
      for (const command of action.commands) {
        const { stdout, stderr, outcome } = await run(command, timeoutMs);
        output.push({
          stdout: cut(stdout, maxOutputLength),
          stderr: cut(stderr, maxOutputLength),
          outcome,
        });
        if (outcome.type === "timeout") break;
      }
      return { output, maxOutputLength };
    },
  };
}

type Run = (command: string, timeoutMs: number) => Promise<ShellOutputResult>;

function runOf(runner: AnySandboxProtocol | CommandRunner): Run {
  if (isSandboxProtocol(runner)) {
    const sandbox = adaptSandboxProtocol(runner);
    return async (command, timeoutMs) => {
      const timeout = timeoutMs / 1000;
      const { output, exitCode, error, code } = await sandbox.execute(command, { timeout });
      const outcome =
        code === "timeout" ? ({ type: "timeout" } as const) : ({ type: "exit", exitCode } as const);
      return { stdout: output, stderr: error ?? "", outcome };
    };
  }
  if (typeof runner !== "object" || runner === null || typeof runner.exec !== "function")
    throw new TypeError("A shell needs a backend with 'execute', or an object with 'exec'.");
  return async (command, timeoutMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const { stdout, stderr, exitCode } = await runner.exec(command, { signal });
      const outcome = signal.aborted
        ? ({ type: "timeout" } as const)
        : ({ type: "exit", exitCode } as const);
      return { stdout, stderr, outcome };
    } catch (error) {
      if (!signal.aborted) throw error;
      return { stdout: "", stderr: "", outcome: { type: "timeout" } };
    }
  };
}

function leastOf(asked: number | undefined, most: number): number {
  return asked === undefined || asked <= 0 ? most : Math.min(asked, most);
}

/** The beginning of a text, and how much is left out. No character is cut in two. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const isPair = /[\ud800-\udbff]/.test(text[most - 1] ?? "");
  const kept = text.slice(0, isPair ? most - 1 : most);
  return `${kept}\n[${text.length - kept.length} more characters are left out]`;
}
