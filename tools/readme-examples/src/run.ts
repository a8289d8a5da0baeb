import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import type { ReadmeExample } from "./extract.js";

export interface RunExampleOptions {
  /** The working directory of the example. Default: a new empty folder, removed afterwards. */
  readonly cwd?: string;
  /** Environment variables for the example, e.g. `{ DATABASE_URL: server.info.url }`; restored afterwards. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that imports resolve from. Default: that of the Markdown file, else the working directory. */
  readonly resolveFrom?: string;
}

export interface ExampleRun {
  /** What the example logged with `console.log`, one entry a line. */
  readonly lines: readonly string[];
  /** What the example exports. */
  readonly exports: Readonly<Record<string, unknown>>;
}

/**
 * Runs one example as the TypeScript module that it is, inside the running Vitest, so that
 * workspace imports reach the sources like in every other test. Rejects with what the example throws.
 *
 * Comments of the form `// prints: some text` are checked: when an example has any, they must be,
 * in order, exactly the lines that it logged.
 *
 * Examples run one at a time: the working directory, the environment and `console.log` belong to
 * the process. So do not run them in concurrent tests.
 */
export async function runExample(
  example: ReadmeExample | string,
  options: RunExampleOptions = {},
): Promise<ExampleRun> {
  const code = typeof example === "string" ? example : example.code;
  const scratch = options.cwd ?? (await mkdtemp(join(tmpdir(), "readme-example-")));
  const from =
    options.resolveFrom ?? (typeof example === "string" ? process.cwd() : example.directory);
  const module = join(from, `.readme-example-${randomUUID()}.ts`);
  const before = { cwd: process.cwd(), log: console.log };
  const restoreEnv = setEnvironment(options.env ?? {});
  const lines: string[] = [];
  try {
    await writeFile(module, `${code}\nexport {};\n`);
    process.chdir(scratch);
    console.log = (...values: unknown[]) => {
      lines.push(...format(...values).split("\n"));
    };
    const exports: Readonly<Record<string, unknown>> = await import(pathToFileURL(module).href);
    comparePrinted(code, lines);
    return { lines, exports };
  } finally {
    console.log = before.log;
    process.chdir(before.cwd);
    restoreEnv();
    await rm(module, { force: true });
    if (options.cwd === undefined) await rm(scratch, { recursive: true, force: true });
  }
}

function comparePrinted(code: string, lines: readonly string[]): void {
  const promised = [...code.matchAll(/\/\/ prints: (.*?)\s*$/gm)].map((match) => match[1] ?? "");
  if (promised.length === 0) return;
  const got = lines.map((line) => line.trimEnd());
  if (promised.join("\n") !== got.join("\n"))
    throw new Error(
      `The example promises to print\n${indented(promised)}\nbut printed\n${indented(got)}`,
    );
}

function indented(lines: readonly string[]): string {
  return lines.length === 0 ? "  (nothing)" : lines.map((line) => `  ${line}`).join("\n");
}

function setEnvironment(values: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
}
