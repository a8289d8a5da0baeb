import { MemoryBackend } from "@fs/protocol";
import { convertPromptToAnthropic } from "@langchain/anthropic";
import { ChatPromptValue } from "@langchain/core/prompt_values";
import type { BaseMessage } from "@langchain/core/messages";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  convertMessagesToCompletionsMessageParams,
  convertMessagesToResponsesInput,
} from "@langchain/openai";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { createFilesystemMiddleware } from "@fs/middleware";
import { ScriptedModel } from "./support/scripted-model.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const PDF = Buffer.from("%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer <<>>\n%%EOF\n");
const MP3 = Buffer.from("ID3\u0003\u0000\u0000\u0000\u0000\u0000\u0000", "latin1");
const WAV = Buffer.from("RIFF\u0024\u0000\u0000\u0000WAVEfmt ", "latin1");
const MP4 = Buffer.from("\u0000\u0000\u0000\u0018ftypmp42", "latin1");

const FILES: Record<string, Uint8Array> = {
  "/a.png": PNG,
  "/b.pdf": PDF,
  "/c.mp3": MP3,
  "/d.wav": WAV,
  "/e.mp4": MP4,
  "/f.zip": Buffer.from([0x50, 0x4b, 3, 4, 0, 0]),
  "/fake.png": Buffer.from("no image at all"),
  "/really-a-png.jpg": PNG,
  "/empty.png": new Uint8Array(),
  "/g.docx": Buffer.from([0x50, 0x4b, 3, 4, 0, 1]),
};

/** What a model of the given abilities is sent after it read the files in one turn. */
async function sent(
  paths: readonly string[],
  profile: Record<string, unknown> = {},
): Promise<{ sent: BaseMessage[]; stored: BaseMessage[] }> {
  const backend = new MemoryBackend();
  await backend.uploadFiles(Object.entries(FILES));
  const model = new ScriptedModel(
    [() => paths.map((path) => ({ name: "read_file", args: { file_path: path } })), () => "seen"],
    profile,
  );
  const agent = createAgent({ model, middleware: [createFilesystemMiddleware({ backend })] });
  const { messages } = await agent.invoke({ messages: [new HumanMessage("look")] });
  return { sent: model.received[1] ?? [], stored: messages };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

describe("images and documents", () => {
  it("are stored as standard blocks and follow the results of the turn in a human message", async () => {
    const { sent: messages, stored } = await sent(["/a.png", "/b.pdf"]);
    expect(messages.map((message) => message.type)).toEqual([
      "human",
      "ai",
      "tool",
      "tool",
      "human",
    ]);
    expect(stored.map((message) => message.type)).toEqual(["human", "ai", "tool", "tool", "ai"]);
    expect(stored[2]?.contentBlocks).toMatchObject([
      { type: "text" },
      { type: "image", mimeType: "image/png", data: base64(PNG) },
    ]);
    expect(stored[3]?.contentBlocks[1]).toMatchObject({
      type: "file",
      mimeType: "application/pdf",
    });
  });

  it("are accepted by OpenAI's chat completions", async () => {
    const { sent: messages } = await sent(["/a.png", "/b.pdf"]);
    const params = convertMessagesToCompletionsMessageParams({ messages, model: "gpt-5" });
    const tools = params.filter((param) => param.role === "tool");
    expect(tools.map((param) => typeof param.content)).toEqual(["string", "string"]);
    expect(params.at(-1)).toMatchObject({
      role: "user",
      content: [
        { type: "text" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${base64(PNG)}` } },
        { type: "text" },
        {
          type: "file",
          file: { file_data: `data:application/pdf;base64,${base64(PDF)}`, filename: "b.pdf" },
        },
      ],
    });
  });

  it("are accepted by OpenAI's responses", async () => {
    const { sent: messages } = await sent(["/a.png", "/b.pdf"]);
    const input = convertMessagesToResponsesInput({ messages, model: "gpt-5", zdrEnabled: false });
    expect(input.at(-1)).toMatchObject({
      role: "user",
      content: [
        { type: "input_text" },
        { type: "input_image", image_url: `data:image/png;base64,${base64(PNG)}` },
        { type: "input_text" },
        { type: "input_file", filename: "b.pdf" },
      ],
    });
    const outputs = input.filter((item) => "type" in item && item.type === "function_call_output");
    expect(outputs).toHaveLength(2);
    expect(JSON.stringify(outputs)).not.toContain(base64(PNG));
  });

  it("are accepted by Anthropic", async () => {
    const { sent: messages } = await sent(["/a.png", "/b.pdf"]);
    const payload = convertPromptToAnthropic(new ChatPromptValue(messages));
    expect(payload.messages.at(-1)).toMatchObject({
      role: "user",
      content: [
        { type: "text" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: base64(PNG) } },
        { type: "text" },
        { type: "document", source: { type: "base64", media_type: "application/pdf" } },
      ],
    });
  });

  it("are not sent to a model that says it cannot take them", async () => {
    const { sent: messages } = await sent(["/a.png", "/b.pdf"], {
      imageInputs: false,
      pdfInputs: false,
    });
    expect(messages.map((message) => message.type)).toEqual(["human", "ai", "tool", "tool"]);
    expect(messages.every((message) => typeof message.content === "string")).toBe(true);
  });
});

describe("sound and film", () => {
  it("are sent only to a model that says it takes them", async () => {
    const { sent: plain } = await sent(["/c.mp3", "/d.wav", "/e.mp4"]);
    expect(JSON.stringify(plain)).not.toContain(base64(MP4));
    expect(plain.at(-1)?.type).toBe("tool");
    // Anthropic's converter throws on a sound; it gets none.
    expect(() => convertPromptToAnthropic(new ChatPromptValue(plain))).not.toThrow();
    const { sent: able } = await sent(["/c.mp3", "/d.wav", "/e.mp4"], {
      audioInputs: true,
      videoInputs: true,
    });
    const blocks = able.at(-1)?.contentBlocks.map((block) => block.type);
    expect(blocks).toEqual(["text", "audio", "text", "audio", "text", "video"]);
  });

  it("are accepted by OpenAI's chat completions under the names it knows", async () => {
    const { sent: messages } = await sent(["/c.mp3", "/d.wav"], { audioInputs: true });
    const last = convertMessagesToCompletionsMessageParams({ messages, model: "gpt-audio" }).at(-1);
    expect(last?.content).toMatchObject([
      { type: "text" },
      { type: "input_audio", input_audio: { format: "mp3", data: base64(MP3) } },
      { type: "text" },
      { type: "input_audio", input_audio: { format: "wav", data: base64(WAV) } },
    ]);
  });
});

describe("other bytes", () => {
  it("are a short note, never a block that a provider refuses", async () => {
    const paths = ["/f.zip", "/fake.png", "/empty.png", "/g.docx"];
    const { sent: messages } = await sent(paths);
    const results = messages.filter((message) => ToolMessage.isInstance(message));
    expect(results.map((message) => message.text)).toEqual([
      "[/f.zip is a binary file (application/zip, 6 bytes) and cannot be shown.]",
      "[/fake.png is a binary file (image/png, 15 bytes) and cannot be shown.]",
      "[/empty.png is empty.]",
      expect.stringMatching(
        /^\[\/g\.docx is a binary file \(.+, 6 bytes\) and cannot be shown\.\]$/,
      ),
    ]);
  });

  it("are typed by what they are, not by their name", async () => {
    const { stored } = await sent(["/really-a-png.jpg"]);
    expect(stored[2]?.contentBlocks[1]).toMatchObject({ type: "image", mimeType: "image/png" });
  });

  it("are refused above the size limit", async () => {
    const backend = new MemoryBackend();
    await backend.uploadFiles([["/a.png", PNG]]);
    const model = new ScriptedModel([() => [{ name: "read_file", args: { file_path: "/a.png" } }]]);
    const middleware = [createFilesystemMiddleware({ backend, maxBinaryBytes: 10 })];
    const { messages } = await createAgent({ model, middleware }).invoke({
      messages: [new HumanMessage("x")],
    });
    expect(messages[2]).toMatchObject({ status: "error", artifact: { code: "too_large" } });
  });
});

describe("several files read in one call", () => {
  it("of which the model takes some are shown, and the others named", async () => {
    const note = async (...file_paths: string[]): Promise<string> => {
      const backend = new MemoryBackend();
      await backend.uploadFiles(Object.entries(FILES));
      const model = new ScriptedModel([
        () => [{ name: "read_files", args: { file_paths } }],
        () => "seen",
      ]);
      const middleware = [createFilesystemMiddleware({ backend, tools: ["read_files"] })];
      const agent = createAgent({ model, middleware });
      await agent.invoke({ messages: [new HumanMessage("look")] });
      const result = model.received[1]?.find((message) => ToolMessage.isInstance(message));
      return result?.text.split("\n").at(-1) ?? "";
    };
    expect(await note("/a.png", "/c.mp3", "/e.mp4")).toBe(
      "[Shown below, but for what this model cannot take: c.mp3, e.mp4.]",
    );
    expect(await note("/a.png", "/b.pdf")).toBe("[Shown below.]");
    expect(await note("/c.mp3", "/e.mp4")).toBe("[This model cannot take such a file.]");
  });
});
