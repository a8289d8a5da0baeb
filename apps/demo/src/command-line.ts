import { parseArgs } from "node:util";

/** What the demo was called with, or the one line that says what is wrong with it. */
export type CommandLine =
  | {
      readonly directory: string | undefined;
      /** Where a report as HTML goes. */
      readonly html: string | undefined;
      /** Where a picture of what was printed goes. */
      readonly svg: string | undefined;
      readonly problem?: never;
    }
  | { readonly problem: string };

export const USAGE = "Call it as: npm run demo -- [DIR] [--html FILE]";

/** Reads the arguments after `npm run demo --`. */
export function commandLine(args: readonly string[]): CommandLine {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { html: { type: "string" }, svg: { type: "string" } },
      allowPositionals: true,
    });
    if (positionals.length > 1) return { problem: `One directory, not ${positionals.length}.` };
    return { directory: positionals[0], html: values.html, svg: values.svg };
  } catch (error) {
    if (error instanceof TypeError) return { problem: `${error.message.split(". ")[0]}.` };
    throw error;
  }
}
