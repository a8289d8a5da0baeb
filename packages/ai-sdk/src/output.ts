import type { ErrorCode } from "@fs/protocol";
import type { ToolAnswer } from "@fs/tools";
import type { ToolResultPart } from "ai";

/** What a tool answers: plain JSON, so that it can be stored with the messages. */
export interface FileToolOutput {
  /** For the model. */
  readonly content: ReadonlyArray<
    | { readonly type: "text"; readonly text: string }
    | {
        readonly type: "file";
        /** In base64. */
        readonly data: string;
        readonly mediaType: string;
        readonly filename: string;
      }
  >;
  /** For programs: paths, versions, counts. */
  readonly structured?: Record<string, unknown>;
  /** Whether the call failed; `content` then says why. */
  readonly failed?: true;
  /** The stable code of a failure. */
  readonly code?: ErrorCode;
}

/** The answer of a tool as plain JSON. */
export function outputOf({ content, structured, failed, code }: ToolAnswer): FileToolOutput {
  return {
    content: content.map((part) => {
      if (part.type === "text") return part;
      const { bytes, mimeType: mediaType, filename } = part;
      const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
      return { type: "file", data, mediaType, filename };
    }),
    ...(structured === undefined ? {} : { structured }),
    ...(failed === true ? { failed } : {}),
    ...(code === undefined ? {} : { code }),
  };
}

/** What the model sees of an answer: text, an error, or files to look at. */
export function modelOutputOf({ content, failed }: FileToolOutput): ToolResultPart["output"] {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (failed === true) return { type: "error-text", value: text };
  if (content.every(({ type }) => type === "text")) return { type: "text", value: text };
  return {
    type: "content",
    value: content.map((part) =>
      part.type === "text" ? part : { ...part, data: { type: "data", data: part.data } },
    ),
  };
}
