import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { startCeph, startPostgres } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkEveryTool, checkMoves } from "./every-tool.js";
import { type Inspector, installInspector } from "./inspector.js";
import { tarballsOf } from "./packed.js";
import { npmInstall } from "../src/npm-install.js";

// What the tests need of any client.
interface TestClient {
  readonly listTools: () => Promise<{ tools: ReadonlyArray<{ name: string }> }>;
  readonly callTool: (params: {
    name: string;
    arguments: Record<string, unknown>;
  }) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

const ROUTES = ["", "/db", "/s3"];
const info = { name: "test", version: "1.0.0" };
const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: tmpdir(),
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
};
const stops: Array<() => Promise<unknown>> = [];
let project: string;
let program: string;
let server: ChildProcess;
let url: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "fs-cli-packed-"));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const tarballs = tarballsOf("@fs/cli", "@fs/postgres", "@fs/s3");
  project = join(folder, "project");
  await mkdir(join(project, "data/skills/polite"), { recursive: true });
  const skill = "---\nname: polite\ndescription: How to write.\n---\n\nSay hello.\n";
  await writeFile(join(project, "data/skills/polite/SKILL.md"), skill);
  const dependencies = Object.fromEntries(
    [...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]),
  );
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ name: "empty", private: true, type: "module", dependencies }),
  );
  const [postgres, ceph] = await Promise.all([startPostgres(), startCeph()]);
  stops.unshift(
    () => postgres.stop(),
    () => ceph.stop(),
  );
  const { endpoint, region, ...credentials } = ceph.info;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: "cli" }));
  client.destroy();
  const config = {
    routes: {
      "/": { use: "disk", rootDir: "data" },
      "/db/": { use: "postgres", url: "${DB}", setup: true },
      "/s3/": { use: "s3", bucket: "cli", connection: { endpoint, region, credentials } },
    },
  };
  await writeFile(join(project, "fs.config.json"), JSON.stringify(config));
  await npmInstall(project, "--ignore-scripts");
  program = join(project, "node_modules/.bin/fs-agent");
  Object.assign(environment, { DB: postgres.info.url });
  server = spawn(program, ["mcp", "--write", "--http", "--skills", "/skills"], {
    cwd: project,
    env: environment,
  });
  stops.unshift(async () => server.kill());
  url = await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error("fs-agent mcp ended")));
    if (server.stderr === null) throw new Error("no standard error");
    createInterface(server.stderr).on("line", (line) => {
      const found = /Listening on (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

const stdio = () => ({
  command: program,
  args: ["mcp", "--write"],
  cwd: project,
  env: environment,
});
const newest = { versionNegotiation: { mode: "auto" as const } };

async function second(
  options: ConstructorParameters<typeof Client>[1],
  http: boolean,
): Promise<TestClient> {
  const client = new Client(info, options);
  await client.connect(
    http ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport(stdio()),
  );
  return client;
}

async function first(http: boolean): Promise<TestClient> {
  const client = new FirstClient(info);
  await client.connect(http ? new FirstHttp(new URL(url)) : new FirstStdio(stdio()));
  return client;
}

const CLIENTS: Readonly<Record<string, () => Promise<TestClient>>> = {
  "client 2.x of 2026 over stdio": () => second(newest, false),
  "client 2.x of 2026 over HTTP": () => second(newest, true),
  "client 2.x of 2025 over stdio": () => second({}, false),
  "client 2.x of 2025 over HTTP": () => second({}, true),
  "client 1.x over stdio": () => first(false),
  "client 1.x over HTTP": () => first(true),
};

describeWithServer("s3", "the packed and installed fs-agent mcp", () => {
  describe.each(Object.entries(CLIENTS))("driven by %s", (name, connect) => {
    test("does every tool on disk, PostgreSQL and S3", async () => {
      const client = await connect();
      const own = name.replaceAll(/\W+/g, "-");
      const call = async (tool: string, args: Record<string, unknown>): Promise<string> => {
        const result = await client.callTool({ name: tool, arguments: args });
        const said = JSON.stringify(result["content"]);
        expect([tool, result["isError"] === true, said]).toEqual([tool, false, said]);
        return said;
      };
      try {
        const { tools } = await client.listTools();
        expect(tools).toHaveLength(13);
        expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(8000);
        for (const route of ROUTES) await checkEveryTool(call, `${route}/${own}`);
        await checkMoves(call, `${own}.txt`);
      } finally {
        await client.close();
      }
    });
  });

  test("two clients lose none of 40 edits of one file, wherever it is", async () => {
    const clients = [await first(false), await second(newest, true)] as const;
    try {
      for (const route of ROUTES) {
        const path = `${route}/shared.txt`;
        const lines = Array.from({ length: 40 }, (_, index) => `line ${index}.\n`);
        await clients[0].callTool({
          name: "write_file",
          arguments: { path, content: lines.join("") },
        });
        const results = await Promise.all(
          lines.map((_, index) =>
            clients[index % 2 === 0 ? 0 : 1].callTool({
              name: "edit_file",
              arguments: { path, old_string: `line ${index}.`, new_string: `done ${index}.` },
            }),
          ),
        );
        const read = await clients[1].callTool({ name: "read_file", arguments: { path } });
        const { content } = read["structuredContent"] as { content: string };
        // Under so many writers a call may be refused; what is acknowledged is there.
        const acknowledged = results.flatMap((result, index) =>
          result["isError"] === true ? [] : [index],
        );
        expect(acknowledged.filter((index) => !content.includes(`done ${index}.`))).toEqual([]);
        expect([route, acknowledged.length]).toEqual([route, 40]);
      }
    } finally {
      await Promise.all(clients.map((client) => client.close()));
    }
  });

  test("corrupts nothing: no invalid UTF-8, no CRLF, no ambiguous edit", async () => {
    const client = await second(newest, false);
    const edit = async (path: string, old_string: string, new_string: string) =>
      client.callTool({ name: "edit_file", arguments: { path, old_string, new_string } });
    const invalid = Buffer.from([0x41, 0xff, 0x0a, 0x42]);
    try {
      await writeFile(join(project, "data/invalid.txt"), invalid);
      expect(await edit("/invalid.txt", "B", "C")).toMatchObject({ isError: true });
      expect(await readFile(join(project, "data/invalid.txt"))).toEqual(invalid);
      await writeFile(join(project, "data/crlf.txt"), "one\r\ntwo\r\nthree\r\n");
      expect((await edit("/crlf.txt", "one\ntwo", "1\n2"))["isError"]).not.toBe(true);
      expect(await readFile(join(project, "data/crlf.txt"), "utf8")).toBe("1\r\n2\r\nthree\r\n");
      await writeFile(join(project, "data/twice.txt"), "same\nsame\n");
      expect(await edit("/twice.txt", "same", "other")).toMatchObject({ isError: true });
      expect(await readFile(join(project, "data/twice.txt"), "utf8")).toBe("same\nsame\n");
    } finally {
      await client.close();
    }
  });

  test("a client that is killed or talks nonsense harms nobody", async () => {
    const nonsense = spawn(program, ["mcp"], { cwd: project, env: environment });
    const said: string[] = [];
    nonsense.stdout.on("data", (data: Buffer) => said.push(String(data)));
    nonsense.stdin.write('{broken\n[]\n"text"\n{"jsonrpc":"2.0"}\n');
    nonsense.stdin.end();
    const code = await new Promise((resolve) => nonsense.once("close", resolve));
    expect(code).toBe(0);
    for (const line of said.join("").split("\n").filter(Boolean))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    const oversized = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `"${"x".repeat(5 * 1024 * 1024)}"`,
    });
    expect(oversized.status).toBe(413);
    const client = await first(true);
    expect((await client.listTools()).tools).toHaveLength(13);
    await client.close();
    expect(server.exitCode).toBeNull();
  });

  // Each call of the inspector is a process of its own: a whole run takes minutes, and `npm test` drives one route by HTTP.
  describe("driven by the official inspector, on Node 24", () => {
    const whole = process.env["FS_TEST_INSPECTOR"] === "whole";
    let inspector: Inspector;
    beforeAll(async () => {
      inspector = await installInspector(join(project, "../inspector"), {
        stdio: stdio(),
        http: { type: "streamable-http", url },
      });
    });

    test.each(["stdio", "http"])("lists tools that every client can use, over %s", async (over) => {
      // `--strict` fails for a schema that some client cannot read.
      const listed = await inspector.run(over, "--method", "tools/list", "--strict");
      const { result } = JSON.parse(listed) as { result: { tools: unknown[] } };
      expect(result.tools).toHaveLength(13);
    });

    const driven = whole
      ? ["stdio", "http"].flatMap((over) => ROUTES.map((route) => [over, route] as const))
      : [["http", "/db"] as const];
    test.each(driven)("does every tool over %s in '%s'", async (over, route) => {
      await checkEveryTool(inspector.toolsOf(over), `${route}/inspector-${over}`);
    });

    test.runIf(whole).each(["stdio", "http"])("moves across routes over %s", async (over) => {
      await checkMoves(inspector.toolsOf(over), `inspector-${over}.txt`);
    });

    test("finds the skills of a directory as their specification has them", async () => {
      // `--verify` also compares what is read with the digests that are listed.
      const args = ["--method", "skills/list", "--verify", "--protocol-era", "modern"];
      const report = JSON.parse(await inspector.run("http", ...args)) as Record<string, unknown>;
      expect(report).toMatchObject({ name: "polite", conformance: [], outcome: "verified" });
    });

    test("sees a failed call as failed", async () => {
      const read = inspector.toolsOf("http")("read_file", { file_path: "/nothing" });
      await expect(read).rejects.toThrow(/does not exist|not found/i);
    });
  });
});
