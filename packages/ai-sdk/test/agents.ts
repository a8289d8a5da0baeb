import { fileTools } from "@fs/ai-sdk";
import type { Filesystem } from "@fs/protocol";
import type { Storage } from "@fs/test-servers/storages";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, it } from "vitest";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A model that calls these tools, one in each step, and then says that it is done. */
export function scripted(calls: ReadonlyArray<readonly [toolName: string, input: object]>) {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  const usage = { inputTokens: tokens, outputTokens: tokens };
  let step = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const call = calls[step++];
      if (call === undefined)
        return {
          content: [{ type: "text", text: "done" }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: [],
        };
      const [toolName, input] = call;
      const toolCallId = `call-${step}`;
      return {
        content: [{ type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) }],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

/** What the model was sent as the results of its calls. */
export function resultsSent(model: MockLanguageModelV4): unknown[] {
  const prompt = model.doGenerateCalls.at(-1)?.prompt ?? [];
  return prompt.flatMap(({ role, content }) =>
    role === "tool" ? content.map((part) => ("output" in part ? part.output : part)) : [],
  );
}

/** An agent of the AI SDK works over a backend. */
export function worksOver({ name, create }: Storage<Filesystem>): void {
  it(`runs an agent of the AI SDK over ${name}`, async () => {
    const backend = create();
    await backend.uploadFiles?.([["/project/pixel.png", PIXEL]]);
    const model = scripted([
      ["write_file", { path: "/project/a.md", content: "one\ntwo\n" }],
      ["edit_file", { path: "/project/a.md", old_string: "two", new_string: "2" }],
      ["read_file", { path: "/project/a.md" }],
      ["read_file", { path: "/project/pixel.png" }],
      ["read_file", { path: "/project/none.md" }],
    ]);
    const tools = fileTools(backend);
    const { text, steps } = await generateText({
      model,
      tools,
      prompt: "Work.",
      stopWhen: stepCountIs(9),
    });
    expect(text).toBe("done");
    expect((await backend.read("/project/a.md")).content).toBe("one\n2\n");
    const [, , read, image, missing] = resultsSent(model);
    expect(read).toMatchObject({ type: "text", value: expect.stringContaining("one") });
    expect(image).toMatchObject({
      type: "content",
      value: expect.arrayContaining([
        expect.objectContaining({
          type: "file",
          mediaType: "image/png",
          data: { type: "data", data: PIXEL.toString("base64") },
        }),
      ]),
    });
    expect(missing).toMatchObject({
      type: "error-text",
      value: expect.stringContaining("was not found"),
    });
    const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
    expect(outputs.at(-1)).toMatchObject({ failed: true, code: "not_found" });
    expect(JSON.parse(JSON.stringify(outputs))).toEqual(outputs);
  });
}
