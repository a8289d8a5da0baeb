import type { ContentPart, FilesUpdate, ToolAnswer } from "@fs/tools";
import { type ContentBlock, type MessageContent, ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";

/** A content block that holds a file's bytes. */
export type MediaBlock =
  | ContentBlock.Multimodal.Image
  | ContentBlock.Multimodal.Audio
  | ContentBlock.Multimodal.Video
  | ContentBlock.Multimodal.File;

/** The message that carries an answer. Its artifact, which no model is sent, is what the answer holds for programs. */
export function messageOf(answer: ToolAnswer, name: string, toolCallId: string): ToolMessage {
  return new ToolMessage({
    content: contentOf(answer.content),
    name,
    tool_call_id: toolCallId,
    status: answer.failed === true ? "error" : "success",
    ...(answer.structured === undefined ? {} : { artifact: answer.structured }),
  });
}

/** The message alone, or with what a backend made with a runtime wants to be put into the state's `files`. */
export function withFilesUpdate(
  message: ToolMessage,
  files: FilesUpdate | undefined,
): ToolMessage | Command {
  return files === undefined ? message : new Command({ update: { files, messages: [message] } });
}

function contentOf(parts: readonly ContentPart[]): MessageContent {
  const [first] = parts;
  return parts.length === 1 && first?.type === "text" ? first.text : parts.map(blockOf);
}

/** A part as a block of LangChain's standard content. */
function blockOf(part: ContentPart): MediaBlock | ContentBlock.Text {
  if (part.type === "text") return { type: "text", text: part.text };
  const { type, bytes, mimeType, filename } = part;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  return { type, mimeType, data, metadata: { filename } };
}
