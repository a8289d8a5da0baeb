import { Command as Program, CommanderError } from "commander";
import { ConfigurationError, runAsCaller } from "@fs/protocol";
import { callerOfProcess } from "./actor.js";
import { contextOf, type Options } from "./context.js";
import { EXIT } from "./exit-codes.js";
import { Output } from "./output.js";
import { type Command, COMMANDS } from "./table.js";
import { UsageError } from "./usage-error.js";
import { VERSION } from "./version.js";

const FOOTER = `
Exit codes: 0 done, 1 failed, 2 usage, 3 configuration, 4 in part, 5 conflict, 130 interrupted.
Without a configuration the current folder is at /workspace, read-only, and / is in memory.`;

/**
 * Runs a command line and gives its exit code. Never rejects.
 *
 * @param args Without the program's own name.
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  const interrupted = new AbortController();
  const interrupt = (): void => {
    // The first one lets the call end well; a second one does not wait.
    if (interrupted.signal.aborted) process.exit(EXIT.interrupted);
    interrupted.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  // `fs-agent read big | head` ends when its reader does.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed);
  });
  let exitCode: number = EXIT.ok;
  const program = new Program("fs-agent")
    .description("One filesystem over disk, S3, PostgreSQL, Redis, a store and the Hub.")
    .version(VERSION)
    .option("-c, --config <file>", "the configuration (default: fs.config.* here or above)")
    .option("--json", "one JSON value for programs, see @fs/cli/schema.json")
    .addHelpText("after", FOOTER)
    .exitOverride()
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => termOf(command) });
  for (const command of COMMANDS)
    addCommand(program, command, async (given, options) => {
      exitCode = await runCommand(command, given, options, interrupted.signal);
    });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    throw error;
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}

/** A command with its arguments, so that the list fits a screen. */
function termOf(command: Program): string {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...args].join(" ");
}

function addCommand(
  program: Program,
  { name, summary, args, options = [] }: Command,
  action: (args: readonly string[], options: Options) => Promise<void>,
): void {
  const command = program
    .command(args === undefined ? name : `${name} ${args}`)
    .description(summary);
  for (const [flags, meaning] of options) command.option(flags, meaning);
  command.action(async (...given: unknown[]) => {
    const own = given
      .slice(0, -2)
      .flat()
      .filter((value) => typeof value === "string");
    await action(own, command.optsWithGlobals());
  });
}

async function runCommand(
  { load, changes }: Command,
  args: readonly string[],
  options: Options,
  signal: AbortSignal,
): Promise<number> {
  const output = new Output(options["json"] === true);
  const { config } = options;
  const file = typeof config === "string" ? config : undefined;
  const context = contextOf(output, signal, file, changes === true);
  try {
    const { run } = await load();
    const code = await runAsCaller(callerOfProcess(), () => run(context, args, options));
    return signal.aborted && code !== EXIT.ok ? EXIT.interrupted : code;
  } catch (error) {
    return await reported(error, output);
  } finally {
    await context.close();
  }
}

async function reported(error: unknown, output: Output): Promise<number> {
  if (error instanceof UsageError) {
    await output.failure(error.message, "invalid_argument");
    return EXIT.usage;
  }
  if (error instanceof ConfigurationError) {
    await output.failure(error.message, "configuration");
    return EXIT.configuration;
  }
  const code: unknown = Reflect.get(Object(error), "code");
  // Of what nobody foresaw only the class is shown: the message may hold an address or a key.
  const kind = error instanceof Error ? error.constructor.name : typeof error;
  const what = typeof code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : kind;
  await output.failure(`The command failed (${what}).`, "unavailable");
  return EXIT.failed;
}
