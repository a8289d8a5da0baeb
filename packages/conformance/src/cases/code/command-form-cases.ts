import type { CaseContext } from "../../engine/case-context.js";
import { countedSignal, requireNoneLeft } from "../../matrix/counted-signal.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";

/** Outputs that a terminal, a decoder or a tidy author would change. */
const OUTPUTS: ReadonlyArray<readonly [command: string, output: string]> = [
  [String.raw`printf 'a\r\nb\r\n'`, "a\r\nb\r\n"],
  [String.raw`printf '10 %%\r20 %%\r'`, "10 %\r20 %\r"],
  [String.raw`printf '\357\273\277a,b\n'`, "\u{FEFF}a,b\n"],
  [String.raw`printf '\n\n a \t\n\n'`, "\n\n a \t\n\n"],
  [String.raw`printf '\033[31mred\033[0m'`, "\u{1B}[31mred\u{1B}[0m"],
  [String.raw`printf 'a\\nb $HOME \044x %%s'`, String.raw`a\nb $HOME $x %s`],
];

async function exactOutput({ backend, check }: CaseContext): Promise<void> {
  for (const [command, output] of OUTPUTS) {
    const done = await backend.execute(command);
    check.equal([done.output, done.exitCode], [output, 0], `What ${show(command)} prints`);
  }
}

/** Commands that do something else, or nothing, where text is put before, behind or around them. */
const COMMANDS: ReadonlyArray<readonly [command: string, output: string, exitCode: number]> = [
  ["echo one # a remark", "one\n", 0],
  ["cat <<END\none\nEND", "one\n", 0],
  ["echo one; exit 3 # done", "one\n", 3],
  ["echo one\necho two\n", "one\ntwo\n", 0],
  ["echo one \\\n  two", "one two\n", 0],
  ["false", "", 1],
  ["! true", "", 1],
  ["true && false || echo one", "one\n", 0],
  ["(exit 4)", "", 4],
  ["{ echo one; }", "one\n", 0],
  ["if true; then echo one; fi", "one\n", 0],
  ["printf '%s,' 'a  b' \"it's\" '\"'", "a  b,it's,\",", 0],
  ["x='one two'; echo $x; echo \"${x}\"", "one two\none two\n", 0],
];

async function asWritten({ backend, check }: CaseContext): Promise<void> {
  for (const [command, output, exitCode] of COMMANDS) {
    const done = await backend.execute(command);
    check.equal([done.output, done.exitCode], [output, exitCode], `What ${show(command)} does`);
  }
}

/** Seconds after which a command of a second is not over, whatever a timer makes of them: beyond 24 days one of Node fires at once. */
const LONG_ENOUGH = [0, 30.5, 3600, 2_147_484, 4_294_968];

async function timeouts({ backend, check }: CaseContext): Promise<void> {
  for (const timeout of LONG_ENOUGH) {
    const done = await backend.execute("sleep 0.2; echo done", { timeout });
    // A backend may have a maximum, and says so.
    if (done.code === "invalid_argument" && timeout > 0) continue;
    const what = `What comes back of a short command with a timeout of ${timeout} s`;
    check.equal([done.output, done.exitCode], ["done\n", 0], what);
  }
  const done = await backend.execute("sleep 5; echo never", { timeout: 0.4 });
  check.that(
    done.exitCode !== 0 && !done.output.includes("never"),
    "A command of five seconds went on to its end with a timeout of 0.4 s.",
  );
}

async function noListeners(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const command of ["true", "exit 3", "echo one"]) {
    const counted = countedSignal();
    const { code } = await backend.execute(command, { signal: counted.signal });
    check.equal(code, undefined, `The code of ${show(command)}`);
    await requireNoneLeft(context, counted, `after ${show(command)} has ended`);
  }
}

/** What a shell is given, and what comes back of it, in every form. */
export const commandFormCases: readonly Case[] = [
  {
    id: "exec/exact-output",
    rules: ["X1"],
    level: "exec",
    needs: ["execute"],
    why: "Output comes as it was printed: with its line ends, byte order mark, spaces and escapes.",
    hint: "Run commands without a terminal, trim nothing, and decode with ignoreBOM: true.",
    run: exactOutput,
  },
  {
    id: "exec/as-written",
    rules: ["X1"],
    level: "exec",
    needs: ["execute"],
    why: "A command does what it says, also with a remark or a here-document at its end.",
    hint: "Give it to the shell as an argument of its own. What is put around it on the same line becomes part of a remark.",
    run: asWritten,
  },
  {
    id: "exec/timeouts",
    rules: ["X3"],
    level: "exec",
    needs: ["execute"],
    why: "A timeout is neither rounded nor too long for a timer, and 0 is none.",
    hint: "setTimeout takes 2,147,483,647 ms at most, and fires at once for more. `timeout || 120` makes 120 of 0.",
    run: timeouts,
  },
  {
    id: "exec/leaves-no-listener",
    rules: ["A8"],
    level: "exec",
    needs: ["execute"],
    why: "Nothing listens to the signal of a command that has ended.",
    hint: "Remove the listener when the command ends, not only when it is aborted.",
    run: noListeners,
  },
];
