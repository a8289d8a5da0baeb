import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { spawn } from "node:child_process";
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, fsAgent, MAIN } from "./support/program.js";

const SECRET = "a-secret-of-the-server";
const stops: Array<() => Promise<unknown>> = [];
let cwd = "";
beforeAll(async () => {
  await build();
  cwd = await mkdtemp(join(tmpdir(), "fs-cli-execute-"));
  stops.push(() => rm(cwd, { recursive: true, force: true }));
  await mkdir(join(cwd, "work"));
  const routes = { "/": { use: "shell", rootDir: "work" }, "/memory/": { use: "memory" } };
  await writeFile(join(cwd, "fs.config.json"), JSON.stringify({ routes }));
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

const env = { PATH: process.env["PATH"] ?? "", TOKEN: SECRET };

const TRANSPORTS = {
  stdio: async (flags: readonly string[]) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, "mcp", ...flags],
      cwd,
      env,
    }),
  HTTP: async (flags: readonly string[]) => {
    const server = spawn(process.execPath, [MAIN, "mcp", "--http", ...flags], { cwd, env });
    stops.push(async () => server.kill());
    const url = await new Promise<string>((resolve, reject) => {
      server.once("exit", () => reject(new Error("fs-agent mcp ended")));
      createInterface(server.stderr).on("line", (line) => {
        const found = /Listening on (\S+)/.exec(line)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    return new StreamableHTTPClientTransport(new URL(url));
  },
};

async function connect(over: keyof typeof TRANSPORTS, ...flags: string[]): Promise<Client> {
  const options = { versionNegotiation: { mode: "auto" as const } };
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  await client.connect(await TRANSPORTS[over](flags));
  return client;
}

/** Resolves once a file is there. */
async function there(path: string): Promise<void> {
  for (;;) {
    try {
      return await access(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      await pause(50);
    }
  }
}

describe.each(["stdio", "HTTP"] as const)("a command by MCP over %s", (over) => {
  it("runs where the root has a shell, and says how it ended", async () => {
    const client = await connect(over, "--write");
    const execute = (command: string, more: Record<string, unknown> = {}) =>
      client.callTool({ name: "execute", arguments: { command, ...more } });
    try {
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(14);
      const { annotations } = tools.find(({ name }) => name === "execute") ?? {};
      // What is not said of a tool that writes is that it may destroy.
      expect(annotations).toEqual({ readOnlyHint: false });
      await client.callTool({
        name: "write_file",
        arguments: { path: `/${over}.txt`, content: "of a tool\n" },
      });
      const read = await execute(
        `cat ${over}.txt; printf '%s' "$TOKEN"; echo of a command > by.txt`,
      );
      expect(read.isError).not.toBe(true);
      expect(read.structuredContent).toMatchObject({ output: "of a tool\n", exitCode: 0 });
      expect(JSON.stringify(read)).not.toContain(SECRET);
      const seen = await client.callTool({ name: "read_file", arguments: { path: "/by.txt" } });
      expect(JSON.stringify(seen.content)).toContain("of a command");
      expect(await execute("echo out; exit 3")).toMatchObject({
        structuredContent: { exitCode: 3 },
      });
      const late = await execute("sleep 60", { timeout: 1 });
      expect(late).toMatchObject({ isError: true, _meta: { "fs/code": "timeout" } });
      expect(await execute("")).toMatchObject({ isError: true });
    } finally {
      await client.close();
    }
  });

  it("ends when its call is cancelled", async () => {
    const client = await connect(over, "--write");
    const cancel = new AbortController();
    const [pid, ended] = [`${over}.pid`, `${over}.ended`];
    const command = `trap 'touch ${ended}; exit' TERM; echo $$ > ${pid}.new; mv ${pid}.new ${pid}; while :; do sleep 0.1; done`;
    const call = client.callTool(
      { name: "execute", arguments: { command } },
      { signal: cancel.signal },
    );
    call.catch(() => undefined);
    const file = join(cwd, "work", pid);
    await there(file);
    cancel.abort();
    await expect(call).rejects.toThrow(/abort|cancel/i);
    // Signal 0 only asks whether the process is there.
    const number = Number(await readFile(file, "utf8"));
    const lives = (): boolean => {
      try {
        return process.kill(number, 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
        throw error;
      }
    };
    while (lives()) await pause(50);
    await client.close();
  });

  it("does not exist unless writing is allowed", async () => {
    const client = await connect(over);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).not.toContain("execute");
      const call = client.callTool({ name: "execute", arguments: { command: "touch never" } });
      await expect(call).rejects.toThrow(/not found|no tool/i);
      await expect(access(join(cwd, "work/never"))).rejects.toThrow(/ENOENT/);
    } finally {
      await client.close();
    }
  });
});

it.each([
  { use: "shell", rootDir: "work" },
  { use: "shell", rootDir: "work", virtualMode: false },
  { use: "bubblewrap", workspace: "work" },
  { use: "bubblewrap", workspace: "work", network: true },
])("the tools cost at most 8,000 bytes over %j", async (root) => {
  await writeFile(join(cwd, "root.json"), JSON.stringify({ routes: { "/": root } }));
  const client = await connect("stdio", "--write", "--config", "root.json");
  const { tools } = await client.listTools();
  await client.close();
  expect(tools).toHaveLength(14);
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(8000);
});

it("a command from the terminal runs in the same root", async () => {
  const ended = await fsAgent(["exec", "printf '%s' here; exit 4"], { cwd, env });
  expect(ended).toMatchObject({ stdout: "here" });
  expect(ended.code).not.toBe(0);
});
