import type { Run } from "../context.js";
import { EXIT } from "../exit-codes.js";
import { COMMANDS } from "../table.js";
import { UsageError } from "../usage-error.js";

/** `completion`: a script for a shell, which completes the names of commands. */
export const run: Run = async ({ output }, [shell = ""]) => {
  const names = COMMANDS.map(({ name }) => name).join(" ");
  const scripts: Readonly<Record<string, readonly string[]>> = {
    bash: [`complete -o default -W "${names}" fs-agent`],
    zsh: ["#compdef fs-agent", `_arguments "1: :(${names})" "*: :_files"`],
    fish: COMMANDS.map(
      ({ name, summary }) =>
        `complete -c fs-agent -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", "")}'`,
    ),
  };
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) throw new UsageError("completion is for bash, zsh or fish.");
  await output.result({ shell, script: script.join("\n") }, () => script);
  return EXIT.ok;
};
