#!/usr/bin/env node
import { suiteDigest, suiteVersion } from "../cases/suite-version.js";
import { parseArguments, type Arguments } from "./arguments.js";
import { explainText, listText } from "./catalogue-commands.js";
import { HELP } from "./help.js";
import { initCommand } from "./init-command.js";
import { matrixCommand } from "./matrix-command.js";
import { listed, runCommand } from "./run-command.js";
import { watchCommand } from "./watch-command.js";
import { UsageError } from "./usage-error.js";

async function execute(args: Arguments): Promise<number> {
  switch (args.command) {
    case "help":
      console.log(HELP);
      return 0;
    case "version":
      console.log(`${suiteVersion()} (cases ${suiteDigest()})`);
      return 0;
    case "list":
      console.log(
        listText(args.tier, args.only && listed(args.only), args.skip && listed(args.skip)),
      );
      return 0;
    case "explain":
      console.log(explainText(args.subject));
      return 0;
    case "init":
      initCommand(args.file, args.force);
      return 0;
    case "matrix":
      matrixCommand(args.reports, args.out, args.details);
      return 0;
    case "run":
      return args.watch ? watchCommand(args) : runCommand(args);
  }
}

try {
  process.exitCode = await execute(parseArguments(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`fs-conformance: ${error.message}`);
  process.exitCode = 2;
}
