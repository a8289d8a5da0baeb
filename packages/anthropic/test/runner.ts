import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { memoryTool } from "@fs/anthropic";
import { type AuditEntry, type Filesystem, withAudit } from "@fs/protocol";
import type { Storage } from "@fs/test-servers/storages";
import { expect, it } from "vitest";

interface ToolResult {
  readonly content: unknown;
  readonly is_error?: boolean;
}

/** Runs the tool runner of the SDK with a model that makes these calls of a memory tool, and returns what it was answered. */
export async function answersTo(
  tool: ReturnType<typeof betaMemoryTool>,
  uses: readonly object[],
): Promise<ToolResult[]> {
  const sent: Array<{ messages: Array<{ content: unknown }> }> = [];
  const client = new Anthropic({
    apiKey: "none",
    fetch: async (_url, init) => {
      const step = sent.push(JSON.parse(init?.body as string) as (typeof sent)[number]) - 1;
      const input = uses[step];
      const content =
        input === undefined
          ? [{ type: "text", text: "done" }]
          : [{ type: "tool_use", id: `t${step}`, name: "memory", input }];
      return Response.json({
        id: `m${step}`,
        type: "message",
        role: "assistant",
        model: "none",
        content,
        stop_reason: input === undefined ? "end_turn" : "tool_use",
        usage: { input_tokens: 1, output_tokens: 1 },
      });
    },
  });
  const last = await client.beta.messages.toolRunner({
    model: "none",
    max_tokens: 100,
    messages: [{ role: "user", content: "Remember." }],
    tools: [tool],
  });
  expect(last.content).toMatchObject([{ type: "text", text: "done" }]);
  return sent.slice(1).flatMap(({ messages }) => messages.at(-1)?.content as ToolResult[]);
}

/** The tool runner of the SDK works on the memory over a backend. */
export function runsOver({ name, create }: Storage<Filesystem>): void {
  it(`serves the tool runner of the SDK over ${name}`, async () => {
    const backend = create();
    const entries: AuditEntry[] = [];
    const audited = withAudit(backend, (entry) => void entries.push(entry));
    const options = { rootDir: "/users/7/memories", caller: { actor: "ada" } };
    const tool = memoryTool(betaMemoryTool, audited, options);
    const path = "/memories/shared/a.md";
    const answers = await answersTo(tool, [
      { command: "create", path, file_text: "one\ntwo\n" },
      { command: "create", path, file_text: "again" },
      { command: "str_replace", path, old_str: "two", new_str: "2" },
      { command: "insert", path, insert_line: 1, insert_text: "1.5\n" },
      { command: "view", path: "/memories" },
      { command: "view", path },
      { command: "rename", old_path: path, new_path: "/memories/b.md" },
      { command: "view", path },
      { command: "delete", path: "/memories/none.md" },
      { command: "view", path: "/memories/../secret" },
    ]);
    const failed = (text: string): object => ({
      is_error: true,
      content: expect.stringContaining(text),
    });
    const done = (text: string): object => ({ content: expect.stringContaining(text) });
    expect(answers).toMatchObject([
      done("File created successfully at: /memories/shared/a.md"),
      failed("already exists"),
      done("     2\t2"),
      done("has been edited"),
      done("10B\t/memories/shared/a.md"),
      done("     1\tone\n     2\t1.5\n     3\t2"),
      done("Successfully renamed"),
      failed("The path /memories/shared/a.md does not exist"),
      failed("The path /memories/none.md does not exist"),
      failed("'..'"),
    ]);
    expect(answers.filter(({ is_error }) => is_error === true)).toHaveLength(4);
    expect((await backend.read("/users/7/memories/b.md")).content).toBe("one\n1.5\n2\n");
    expect((await backend.glob("**/*")).files).toHaveLength(1);
    expect(entries).toContainEqual(
      expect.objectContaining({ phase: "end", actor: "ada", toolCallId: "t0" }),
    );
  });
}
