import { backendEditor, backendShell } from "@fs/openai-agents";
import { backendBash } from "@fs/just-bash";
import type { Filesystem } from "@fs/protocol";
import type { Storage } from "@fs/test-servers/storages";
import {
  Agent,
  applyDiff,
  applyPatchTool,
  type ModelResponse,
  run,
  setTracingDisabled,
  shellTool,
} from "@openai/agents";
import { ScriptedModel } from "@openai/agents/testing";
import { Bash } from "just-bash";
import { expect, it } from "vitest";

setTracingDisabled(true);

type Items = ModelResponse["output"];

/** Runs an agent whose model says these items, one list in each turn, and returns what it was answered. */
export async function answersTo(
  backend: Filesystem,
  turns: readonly Items[],
  options: { rootDir?: string } = {},
): Promise<unknown[]> {
  const done: Items = [
    {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "done" }],
    },
  ];
  const model = new ScriptedModel([...turns.map((turn) => [...turn]), done]);
  const cwd = options.rootDir ?? "/";
  const agent = new Agent({
    name: "agent",
    model,
    tools: [
      applyPatchTool({ editor: backendEditor(applyDiff, backend, options) }),
      shellTool({ shell: backendShell(backendBash(Bash, backend, { cwd })) }),
    ],
  });
  const result = await run(agent, "Work.");
  expect(result.finalOutput).toBe("done");
  return result.newItems.flatMap(({ rawItem }) =>
    rawItem?.type === "apply_patch_call_output" || rawItem?.type === "shell_call_output"
      ? [rawItem]
      : [],
  );
}

type Operation = Extract<Items[number], { type: "apply_patch_call" }>["operation"];

let calls = 0;

export function patch(operation: Operation): Items[number] {
  return { type: "apply_patch_call", callId: `patch-${++calls}`, status: "completed", operation };
}

export function shell(...commands: string[]): Items[number] {
  return {
    type: "shell_call",
    callId: `shell-${++calls}`,
    status: "completed",
    action: { commands },
  };
}

/** An agent of the SDK patches files and runs commands over a backend. */
export function worksOver({ name, create }: Storage<Filesystem>): void {
  it(`runs an agent of the SDK over ${name}`, async () => {
    const backend = create();
    const answers = await answersTo(backend, [
      [patch({ type: "create_file", path: "src/a.ts", diff: "+one\n+two\n+three" })],
      [patch({ type: "create_file", path: "src/a.ts", diff: "+again" })],
      [patch({ type: "update_file", path: "src/a.ts", diff: "@@\n one\n-two\n+2\n" })],
      [patch({ type: "update_file", path: "src/a.ts", diff: "@@\n-absent\n+x\n" })],
      [patch({ type: "update_file", path: "/src/none.ts", diff: "@@\n-a\n+b\n" })],
      [
        patch({
          type: "update_file",
          path: "src/a.ts",
          diff: "@@\n-three\n+3\n",
          moveTo: "docs/b.ts",
        }),
      ],
      [shell("cat docs/b.ts | wc -l", "cat src/a.ts", "grep -rn 3 docs")],
      [patch({ type: "delete_file", path: "docs/b.ts" })],
      [patch({ type: "delete_file", path: "docs/b.ts" })],
    ]);
    const exit = (stdout: string, exitCode: number): object =>
      expect.objectContaining({ stdout, outcome: { type: "exit", exitCode } });
    const failed = (code: string): object =>
      expect.objectContaining({ status: "failed", output: expect.stringContaining(`(${code})`) });
    const completed = expect.objectContaining({ status: "completed" });
    expect(answers).toEqual([
      completed,
      failed("already_exists"),
      completed,
      failed("no_match"),
      failed("not_found"),
      completed,
      expect.objectContaining({
        output: [exit("2\n", 0), exit("", 1), exit("docs/b.ts:3:3\n", 0)],
      }),
      completed,
      failed("not_found"),
    ]);
  });
}
