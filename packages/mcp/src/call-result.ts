import type { ContentPart, ToolAnswer } from "@fs/tools";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { uriOf } from "./file-uri.js";

/** A tool's answer as the protocol has it. A failed one carries its stable code in `_meta["fs/code"]`. */
export function callResult(answer: ToolAnswer): CallToolResult {
  const content = answer.content.map((part) => blockOf(part, answer));
  if (answer.failed === true)
    return {
      content,
      isError: true,
      ...(answer.code === undefined ? {} : { _meta: { "fs/code": answer.code } }),
    };
  return { content, ...(answer.structured ? { structuredContent: answer.structured } : {}) };
}

function blockOf(part: ContentPart, { structured }: ToolAnswer): ContentBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  const { type, bytes, mimeType, filename } = part;
  const data = base64Of(bytes);
  if (type === "image" || type === "audio") return { type, data, mimeType };
  const path: unknown = structured?.["path"];
  const uri = uriOf(typeof path === "string" ? path : `/${filename}`);
  return { type: "resource", resource: { uri, mimeType, blob: data } };
}

/** Bytes as text, for a message of JSON. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}
