import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import {
  CompositeBackend,
  ConfigurationError,
  type FilesystemPermission,
  MemoryBackend,
  withAudit,
  type AuditEntry,
} from "@fs/protocol";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { afterEach, describe, expect, it } from "vitest";
import { createFilesystemMiddleware } from "@fs/middleware";
import { callTools, runTurn } from "./support/run.js";
import { ScriptedModel, type Call } from "./support/scripted-model.js";

const SECRET = "TOPSECRET";
const RULES: FilesystemPermission[] = [
  { operations: ["read", "write", "delete"], paths: ["/vault/**", "/disk/vault/**"], mode: "deny" },
];

const cleanups: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** Secrets in memory and on a disk with links into them, in one composite. */
async function hostileWorld(): Promise<CompositeBackend> {
  const root = await mkdtemp(join(tmpdir(), "fs-permissions-"));
  cleanups.push(() => rm(root, { recursive: true }));
  const disk = new FilesystemBackend({ rootDir: root });
  await disk.write("/vault/key.txt", SECRET);
  await disk.write("/open.txt", "open");
  await symlink(join(root, "vault"), join(root, "link"));
  await symlink(join(root, "vault/key.txt"), join(root, "key-link.txt"));
  const outside = await mkdtemp(join(tmpdir(), "fs-outside-"));
  cleanups.push(() => rm(outside, { recursive: true }));
  await writeFile(join(outside, "host.txt"), SECRET);
  await symlink(outside, join(root, "outside"));
  const memory = new MemoryBackend();
  await memory.write("/vault/key.txt", SECRET);
  await memory.write("/open.txt", "open");
  return new CompositeBackend(memory, { "/disk/": disk });
}

const PATHS = [
  "/vault/key.txt",
  "//vault/key.txt",
  "/./vault/./key.txt",
  "/x/../vault/key.txt",
  "vault/key.txt",
  "/vault/key.txt/",
  "/vault",
  "/vault/",
  "/disk/vault/key.txt",
  "/disk//vault/key.txt",
  "/disk/../vault/key.txt",
  "/disk/link/key.txt",
  "/disk/key-link.txt",
  "/disk/outside/host.txt",
  "/disk/link",
  "/disk/outside",
];

const TOOLS: Record<string, (path: string) => Record<string, unknown>> = {
  ls: (path) => ({ path }),
  read_file: (path) => ({ file_path: path }),
  write_file: (path) => ({ file_path: path, content: "mine" }),
  edit_file: (path) => ({ file_path: path, old_string: SECRET, new_string: "mine" }),
  multi_edit: (path) => ({ file_path: path, edits: [{ old_string: SECRET, new_string: "mine" }] }),
  glob: (path) => ({ pattern: "**/*", path }),
  grep: (path) => ({ pattern: "TOP", path, output_mode: "content" }),
  move_file: (path) => ({ source: path, destination: "/stolen.txt" }),
};

describe("the hostile matrix through composite routes and links", () => {
  for (const [name, args] of Object.entries(TOOLS)) {
    it(`${name} leaks nothing and changes nothing`, async () => {
      const backend = await hostileWorld();
      const calls = PATHS.map((path): Call => ({ name, args: args(path) }));
      const options = { backend, permissions: RULES, readBeforeEdit: false };
      const { results, messages } = await runTurn(options, [() => calls, () => "finished"]);
      expect(results).toHaveLength(PATHS.length);
      expect(JSON.stringify(results)).not.toContain(SECRET);
      expect(messages.at(-1)?.text).toBe("finished");
      expect((await backend.read("/vault/key.txt")).content).toBe(SECRET);
      expect((await backend.read("/disk/vault/key.txt")).content).toBe(SECRET);
      expect((await backend.read("/stolen.txt")).code).toBe("not_found");
    });
  }

  it("shows no secret name in a search of everything", async () => {
    const results = await callTools(
      { backend: await hostileWorld(), permissions: RULES },
      { name: "ls", args: { path: "/" } },
      { name: "ls", args: { path: "/disk" } },
      { name: "glob", args: { pattern: "**/*" } },
      { name: "glob", args: { pattern: "/disk/**/k*" } },
      { name: "grep", args: { pattern: "TOP" } },
      { name: "grep", args: { pattern: "TOP", output_mode: "count" } },
    );
    const text = results.map((result) => result.text).join("\n");
    expect(text).not.toMatch(/vault|key/);
    expect(text).toContain("/disk/open.txt");
  });
});

describe("a rule that asks a human", () => {
  const rules: FilesystemPermission[] = [
    { operations: ["write"], paths: ["/plan.md"], mode: "interrupt" },
  ];
  const start = async () => {
    const backend = new MemoryBackend();
    await backend.write("/plan.md", "old\n");
    const model = new ScriptedModel([
      () => [{ name: "read_file", args: { file_path: "/plan.md" } }],
      () => [
        {
          name: "edit_file",
          args: { file_path: "/plan.md", old_string: "old", new_string: "new" },
        },
        { name: "write_file", args: { file_path: "/free.txt", content: "free" } },
      ],
      () => "finished",
    ]);
    const agent = createAgent({
      model,
      middleware: [createFilesystemMiddleware({ backend, permissions: rules })],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "t" } };
    const paused = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
    return { agent, backend, config, paused };
  };

  it("pauses the run, and goes on when it is approved", async () => {
    const { agent, backend, config, paused } = await start();
    expect(Reflect.get(paused, "__interrupt__")).toMatchObject([
      {
        value: {
          type: "filesystem_permission",
          method: "edit",
          operation: "write",
          path: "/plan.md",
        },
      },
    ]);
    expect((await backend.read("/plan.md")).content).toBe("old\n");
    const done = await agent.invoke(
      new Command({ resume: { decisions: [{ type: "approve" }] } }),
      config,
    );
    expect(done.messages.at(-1)?.text).toBe("finished");
    expect((await backend.read("/plan.md")).content).toBe("new\n");
    expect((await backend.read("/free.txt")).content).toBe("free");
  });

  it("answers with an error when it is rejected", async () => {
    const { agent, backend, config } = await start();
    const done = await agent.invoke(new Command({ resume: false }), config);
    const edit = done.messages.find(
      (message) => ToolMessage.isInstance(message) && message.name === "edit_file",
    );
    expect(edit).toMatchObject({ status: "error", artifact: { code: "permission_denied" } });
    expect((await backend.read("/plan.md")).content).toBe("old\n");
  });
});

describe("permissions and commands", () => {
  const shell = Object.assign(new MemoryBackend(), {
    id: "shell",
    execute: () => ({ output: "ran", exitCode: 0, truncated: false }),
  });

  it("are refused together unless execute is off or the rules are scoped to routes", async () => {
    expect(() => createFilesystemMiddleware({ backend: shell, permissions: RULES })).toThrow(
      ConfigurationError,
    );
    const tools = ["ls", "read_file", "grep"] as const;
    const [refused] = await callTools(
      { backend: shell, permissions: RULES, tools },
      { name: "execute", args: { command: "cat /vault/key.txt" } },
    );
    expect(refused?.status).toBe("error");
    const routed = new CompositeBackend(shell, { "/vault/": new MemoryBackend() });
    const scoped: FilesystemPermission[] = [
      { operations: ["read"], paths: ["/vault/**"], mode: "deny" },
    ];
    const [ran] = await callTools(
      { backend: routed, permissions: scoped },
      { name: "execute", args: { command: "true" } },
    );
    expect(ran?.text).toBe("ran\n[exit code 0]");
  });

  it("are checked at construction when a factory makes the backend", () => {
    const permissions = [{ operations: ["read"], paths: ["relative"] }] as const;
    expect(() =>
      createFilesystemMiddleware({ backend: () => new MemoryBackend(), permissions }),
    ).toThrow(ConfigurationError);
  });
});

describe("permissions and links", () => {
  it("are refused together where the disk follows links", () => {
    const backend = new FilesystemBackend({ rootDir: tmpdir(), symlinks: "inside" });
    const permissions = RULES;
    expect(() => createFilesystemMiddleware({ backend, permissions })).toThrow(ConfigurationError);
    const routed = new CompositeBackend(new MemoryBackend(), { "/disk/": backend });
    expect(() => createFilesystemMiddleware({ backend: routed, permissions })).toThrow(
      ConfigurationError,
    );
  });
});

describe("the audit beneath the tools", () => {
  it("knows the thread and the tool call", async () => {
    const entries: AuditEntry[] = [];
    const backend = withAudit(new MemoryBackend(), (entry) => void entries.push(entry));
    const model = new ScriptedModel([
      () => [{ name: "write_file", args: { file_path: "/a", content: "a" }, id: "call_7" }],
    ]);
    const agent = createAgent({ model, middleware: [createFilesystemMiddleware({ backend })] });
    const config = { configurable: { thread_id: "thread-1", user_id: "ada" } };
    await agent.invoke({ messages: [new HumanMessage("go")] }, config);
    expect(entries.at(-1)).toMatchObject({
      phase: "end",
      method: "write",
      outcome: "ok",
      actor: "ada",
      threadId: "thread-1",
      toolCallId: "call_7",
    });
  });
});
