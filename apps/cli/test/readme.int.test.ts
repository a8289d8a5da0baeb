import { codeBlocks } from "@fs/readme-examples";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, MAIN } from "./support/program.js";

const blocks = codeBlocks(new URL("../README.md", import.meta.url));
const of = (kind: string) => blocks.filter(({ info }) => info === kind);

/** A command of a `console` block, and what it is shown to print. */
interface Shown {
  readonly command: string;
  readonly printed: string;
}

function shownIn(code: string): Shown[] {
  const [before = "", ...parts] = code.split(/^\$ /m);
  if (before !== "") throw new Error(`No command printed '${before}'.`);
  return parts.map((part) => {
    const [command = "", ...printed] = part.trimEnd().split("\n");
    return { command, printed: printed.join("\n") };
  });
}

let home = "";
let env: Record<string, string>;
beforeAll(async () => {
  await build();
  home = await mkdtemp(join(tmpdir(), "fs-cli-readme-"));
  await mkdir(join(home, "project/docs"), { recursive: true });
  const notes = "# Notes\n\nStart it with fs-agent.\n";
  await writeFile(join(home, "project/docs/notes.md"), notes);
  // What npm makes of `bin`, and what `npx --yes @fs/cli` starts.
  const program = `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes @fs/cli" ] || exit 64\nshift 2\nexec '${process.execPath}' '${MAIN}' "$@"\n`;
  await mkdir(join(home, "bin"));
  for (const [name, text] of Object.entries({ "fs-agent": program, npx })) {
    await writeFile(join(home, "bin", name), text);
    await chmod(join(home, "bin", name), 0o755);
  }
  env = { PATH: [join(home, "bin"), process.env["PATH"]].join(delimiter) };
});
afterAll(() => rm(home, { recursive: true, force: true }));

const project = (): string => join(home, "project");

describe("the README", () => {
  const shown = of("console").flatMap(({ code }) => shownIn(code));

  it("shows commands", () => {
    expect(shown.length).toBeGreaterThan(2);
  });

  it.each(shown)("shows what $command prints", async ({ command, printed }) => {
    const ran = promisify(execFile)("sh", ["-c", `${command} 2>&1 </dev/null`], {
      cwd: project(),
      env,
    });
    const { stdout } = await ran.catch((error: { stdout: string }) => error);
    expect(stdout.trimEnd()).toBe(printed);
  });

  const clients = of("json").filter(({ code }) => /[sS]ervers"/.test(code));

  it.each(clients)("configures an MCP client: $title", async ({ code }) => {
    const config = join(project(), "elsewhere.json");
    await writeFile(config, JSON.stringify({ routes: { "/": { use: "disk", rootDir: "." } } }));
    const parsed = JSON.parse(code.replaceAll("/path/to/fs.config.json", config)) as Record<
      string,
      { files: { command: string; args: string[]; env?: Record<string, string> } }
    >;
    const { files } = parsed["mcpServers"] ?? parsed["servers"] ?? {};
    if (files === undefined) throw new Error("The configuration names no server.");
    expect(await toolsOf(files)).toContain("read_file");
    expect(clients.length).toBeGreaterThan(1);
  });

  it("adds a server to Claude Code", async () => {
    const line = of("sh")
      .map(({ code }) => /^claude mcp add \w+ -- (.+)$/m.exec(code)?.[1])
      .find((found) => found !== undefined);
    const [command = "", ...args] = line?.split(" ") ?? [];
    expect(await toolsOf({ command, args })).toContain("write_file");
  });

  it("serves over HTTP with a token", async () => {
    const line = of("sh")
      .map(({ code }) => code.trim())
      .find((code) => code.startsWith("FS_TOKEN="));
    // The token is the reader's, and a port that is taken is no fault of the line.
    const command = line
      ?.replace("…", "a-token-of-enough-length")
      .replace(/--port \d+/, "--port 0");
    const server = spawn("sh", ["-c", command?.replace("fs-agent", "exec fs-agent") ?? ""], {
      cwd: project(),
      env,
    });
    const url = await new Promise<string>((resolve, reject) => {
      server.once("exit", () => reject(new Error("fs-agent mcp ended")));
      createInterface(server.stderr).on("line", (said) => {
        const found = /Listening on (\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    try {
      expect((await fetch(url, { method: "POST" })).status).toBe(401);
    } finally {
      server.kill();
    }
  });
});

async function toolsOf(server: {
  readonly command: string;
  readonly args: string[];
  readonly env?: Record<string, string>;
}): Promise<string[]> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ ...server, env: { ...server.env, ...env }, cwd: project() }),
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}
