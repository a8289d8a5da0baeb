import {
  type BaseMessage,
  type ContentBlock,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { isRecord } from "@fs/tools";
import type { MediaBlock } from "./tool-message.js";

/** What is known of the model that will see the messages. */
export interface ModelTraits {
  readonly profile: Readonly<Record<string, unknown>>;
  readonly type: string;
}

/** The traits of a chat model, as far as it tells. */
export function traitsOf(model: unknown): ModelTraits {
  const profile =
    typeof model === "object" && model !== null && "profile" in model ? model.profile : {};
  return { profile: isRecord(profile) ? profile : {}, type: typeOf(model) };
}

function typeOf(model: unknown): string {
  if (typeof model !== "object" || model === null) return "";
  const tell: unknown = Reflect.get(model, "_llmType");
  const type: unknown = typeof tell === "function" ? Reflect.apply(tell, model, []) : "";
  return typeof type === "string" ? type : "";
}

/**
 * The messages with what `read_file` showed in a form that every provider takes. Most refuse anything but text in the
 * result of a tool, so images and documents follow in a human message after the results of the turn; what the model
 * cannot take becomes a note. The stored messages stay as they are.
 */
export function presentMedia(messages: BaseMessage[], traits: ModelTraits): BaseMessage[] {
  if (!messages.some(hasMedia)) return messages;
  const presented: BaseMessage[] = [];
  let shown: ContentBlock[] = [];
  const flush = (): void => {
    if (shown.length === 0) return;
    presented.push(
      new HumanMessage({ content: shown, response_metadata: { output_version: "v1" } }),
    );
    shown = [];
  };
  for (const message of messages) {
    if (!ToolMessage.isInstance(message)) flush();
    if (!hasMedia(message)) {
      presented.push(message);
      continue;
    }
    const { texts, media } = split(message);
    const taken = media.map((block) => accept(block, traits));
    const accepted = taken.filter((block) => block !== undefined);
    const note = noteOf(
      media.filter((_, index) => taken[index] === undefined),
      media.length,
    );
    presented.push(withText(message, [...texts, `[${note}]`].join("\n")));
    if (accepted.length > 0) shown.push({ type: "text", text: texts.join("\n") }, ...accepted);
  }
  flush();
  return presented;
}

/** What becomes of a message's media. Where only some are shown, the others are named. */
function noteOf(
  refused: ReadonlyArray<{ readonly metadata?: Record<string, unknown> | undefined }>,
  of: number,
): string {
  if (refused.length === 0) return "Shown below.";
  if (refused.length === of) return "This model cannot take such a file.";
  const names = refused.map(({ metadata }) => {
    const name = metadata?.["filename"];
    return typeof name === "string" ? name : "a file";
  });
  return `Shown below, but for what this model cannot take: ${names.join(", ")}.`;
}

/** The tools whose results hold media. */
const SHOWS_MEDIA: ReadonlySet<unknown> = new Set(["read_file", "read_files"]);

function hasMedia(message: BaseMessage): message is ToolMessage {
  return (
    ToolMessage.isInstance(message) &&
    SHOWS_MEDIA.has(message.name) &&
    Array.isArray(message.content) &&
    message.content.some(isMedia)
  );
}

function isMedia(block: unknown): block is MediaBlock & { readonly mimeType: string } {
  return (
    isRecord(block) &&
    ["image", "audio", "video", "file"].some((type) => type === block["type"]) &&
    typeof block["mimeType"] === "string"
  );
}

function split(message: ToolMessage): {
  texts: string[];
  media: Array<MediaBlock & { readonly mimeType: string }>;
} {
  const blocks: unknown[] = Array.isArray(message.content) ? message.content : [];
  return {
    texts: blocks.flatMap((block) =>
      isRecord(block) && typeof block["text"] === "string" ? [block["text"]] : [],
    ),
    media: blocks.filter(isMedia),
  };
}

/** Images and PDF go to every model that does not refuse them; sound and film only to one that says it takes them. */
function accept(
  block: MediaBlock & { readonly mimeType: string },
  { profile, type }: ModelTraits,
): ContentBlock | undefined {
  switch (block.type) {
    case "image":
      return profile["imageInputs"] === false ? undefined : block;
    case "file":
      return profile["pdfInputs"] === false ? undefined : block;
    case "video":
      return profile["videoInputs"] === true ? block : undefined;
    case "audio": {
      if (profile["audioInputs"] !== true) return undefined;
      // OpenAI takes two formats, and knows one of them only by its other name.
      if (block.mimeType === "audio/mpeg") return { ...block, mimeType: "audio/mp3" };
      return type === "openai" && block.mimeType !== "audio/wav" ? undefined : block;
    }
  }
}

function withText(message: ToolMessage, text: string): ToolMessage {
  return new ToolMessage({
    content: text,
    tool_call_id: message.tool_call_id,
    additional_kwargs: message.additional_kwargs,
    ...(message.id === undefined ? {} : { id: message.id }),
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(message.status === undefined ? {} : { status: message.status }),
  });
}
