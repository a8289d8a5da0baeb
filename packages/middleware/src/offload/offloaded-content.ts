import type { MessageContent } from "@langchain/core/messages";
import { isRecord } from "@fs/tools";
import { headAndTail } from "./preview.js";

/** The text in a message's content, other blocks left out. */
export function textOf(content: MessageContent): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (isText(block) ? [block.text] : [])).join("\n");
}

/** The content with its text replaced by a pointer and a preview. Images and other blocks stay where they are. */
export function withPointer(content: MessageContent, path: string, what: string): MessageContent {
  const text = textOf(content);
  const pointer = `${what} is large (${text.length} characters) and was saved to ${path}. Read it there with read_file, page by page, or search it with grep. Its beginning and end:\n\n${headAndTail(text)}`;
  if (typeof content === "string") return pointer;
  const others = content.filter((block) => !isText(block));
  return [{ type: "text", text: pointer }, ...others];
}

function isText(block: unknown): block is { readonly type: "text"; readonly text: string } {
  return isRecord(block) && block["type"] === "text" && typeof block["text"] === "string";
}
