import type { ExecuteResponse } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";

type Check = (
  context: CaseContext,
  run: (command: string) => Promise<ExecuteResponse>,
) => Promise<void>;

function execCase(
  name: string,
  rule: string,
  why: string,
  check: Check,
  extra: Partial<Case> = {},
): Case {
  return {
    id: `exec/${name}`,
    rules: [rule],
    level: "exec",
    needs: ["execute", ...(extra.needs ?? [])],
    why,
    ...(extra.hint === undefined ? {} : { hint: extra.hint }),
    run: (context) => check(context, (command) => context.backend.execute(command)),
  };
}

const SHARED = { needs: ["execute.sharesFiles"] };

/** Commands, for backends that run them in a POSIX shell. */
export const execCases: readonly Case[] = [
  execCase("output", "X1", "Output and exit code come back.", async ({ check }, run) => {
    const done = await run("printf 'a\\nb'");
    check.equal(
      [done.output.trimEnd(), done.exitCode, done.truncated],
      ["a\nb", 0, false],
      "The response",
    );
  }),
  execCase(
    "exit-code",
    "X1",
    "A failing command is an answer with its exit code.",
    async ({ check }, run) => {
      check.equal((await run("exit 7")).exitCode, 7, "The exit code");
    },
  ),
  execCase("stderr", "X1", "Standard error is part of the output.", async ({ check }, run) => {
    const { output } = await run("echo out; echo err >&2");
    check.that(
      output.includes("out") && output.includes("err"),
      `Both streams should be in ${JSON.stringify(output)}.`,
    );
  }),
  execCase(
    "unknown-command",
    "X1",
    "An unknown command is an exit code other than 0.",
    async ({ check }, run) => {
      const { exitCode } = await run("fs-conformance-no-such-command");
      check.that(exitCode !== 0 && exitCode !== null, `The exit code is ${exitCode}.`);
    },
  ),
  execCase(
    "stdin-closed",
    "X1",
    "Standard input is closed: a command that reads it ends at once.",
    async ({ check }, run) => {
      check.equal((await run("cat; echo done")).output.trim(), "done", "The output");
    },
    {
      hint: "Spawn with stdio: ['ignore', …]. A command that waits for input hangs until its timeout.",
    },
  ),
  execCase(
    "multi-byte",
    "X1",
    "Multi-byte characters survive the edges of chunks.",
    async ({ check }, run) => {
      const { output, truncated } = await run(
        "i=0; while [ $i -lt 3000 ]; do printf 'aé€😀'; i=$((i+1)); done",
      );
      check.that(
        !output.includes("\ufffd"),
        "The output holds U+FFFD: chunks were decoded one by one.",
      );
      if (!truncated) check.equal(output.trimEnd(), "aé€😀".repeat(3000), "The output");
    },
    {
      hint: "Collect bytes, or use a streaming TextDecoder; data.toString() per chunk breaks characters.",
    },
  ),
  execCase("truncation", "X2", "Endless output is cut, and says so.", async ({ check }, run) => {
    const { output, truncated } = await run("yes 0123456789 | head -c 20000000");
    check.equal(truncated, true, "'truncated'");
    check.that(output.length < 20_000_000, "The output should be cut.");
  }),
  execCase(
    "cut-between-characters",
    "X2",
    "Output that is cut ends between two characters.",
    async ({ check }, run) => {
      for (const before of ["", "x", "xx", "xxx"]) {
        const { output } = await run(
          `printf '%s' '${before}'; yes 😀 | tr -d '\\n' | head -c 8000000`,
        );
        check.that(output.includes(`${before}😀`), "The output should hold what was printed.");
        check.that(
          !output.includes("\ufffd"),
          `The output after ${before.length} bytes holds U+FFFD: it was cut within a character.`,
        );
      }
    },
    {
      hint: "Cut at a character, or leave out what a streaming TextDecoder keeps back at the cap.",
    },
  ),
  execCase(
    "timeout",
    "X3",
    "A timeout ends the command, and what it started.",
    async (context) => {
      const { backend, check } = context;
      const done = await backend.execute("sleep 600 | cat; echo never", { timeout: 1 });
      check.that(
        done.exitCode !== 0,
        `The exit code of a command that was ended is ${done.exitCode}.`,
      );
      check.that(!done.output.includes("never"), "The command went on after its timeout.");
    },
    { hint: "Kill the process group (a negative pid of a detached child), not the shell alone." },
  ),
  execCase(
    "sees-writes",
    "X1",
    "A command sees what was written.",
    async (context, run) => {
      await context.given({ "/d/a b.txt": "content\n" });
      context.check.equal((await run("cat 'd/a b.txt'")).output, "content\n", "The output");
    },
    SHARED,
  ),
  execCase(
    "writes-visible",
    "X1",
    "What a command writes is read, listed and found.",
    async (context, run) => {
      const { backend, check } = context;
      check.equal(
        (await run("mkdir -p d && printf 'made' > d/made.txt")).exitCode,
        0,
        "The exit code",
      );
      await context.holds({ "/d/made.txt": "made" });
      check.equal(
        (await backend.glob("**/made.txt")).files?.map(({ path }) => path),
        ["/d/made.txt"],
        "glob",
      );
      check.equal((await backend.grep("made")).matches?.length, 1, "The number of matches");
    },
    SHARED,
  ),
  execCase("identity", "C5", "A backend that runs commands has an id.", async (context) => {
    const id: unknown = Reflect.get(context.backend.unguarded, "id");
    context.check.that(
      typeof id === "string" && id !== "",
      `'id' should be a text, but is ${String(id)}.`,
    );
  }),
];
