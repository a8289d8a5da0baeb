import type { ReadResult } from "@fs/protocol";
import { basenameOf } from "@fs/protocol/author";
import { z } from "zod";
import { mediaBlock, provenMediaType } from "../output/media.js";
import { numberLines } from "../output/number-lines.js";
import type { ToolSettings } from "../settings.js";
import { refusal, type ToolAnswer } from "./answer.js";
import type { ToolDefinition } from "./define-tool.js";
import { FILE_PATH_ALIASES, tolerantSchema } from "./schema.js";

const DEFAULT_LINES = 100;

const schema = tolerantSchema(
  {
    file_path: z.string().describe("Absolute path"),
    offset: z.number().default(0).describe("First line, 0-based"),
    limit: z.number().default(DEFAULT_LINES).describe("Max lines"),
  },
  { ...FILE_PATH_ALIASES, start: "offset", lines: "limit", max_lines: "limit" },
);

/** `read_file`: a page of a text file with line numbers, or an image, sound, film or PDF for the model to look at. */
export const readFileTool: ToolDefinition<z.output<typeof schema>> = {
  name: "read_file",
  description:
    "Read a file. Text comes as 'line number→text'; the arrow and number are not part of the file. Images, audio, video and PDF are shown.",
  schema,
  subject: (args) => args.file_path,
  async run({ file_path: path, offset, limit }, { backend, options, settings }) {
    const result = await backend.read(path, offset, limit, options);
    if (result.error !== undefined) return refusal(result, path);
    const { content } = result;
    if (content === undefined) return refusal({ code: "unavailable" }, path);
    return typeof content === "string"
      ? textAnswer(path, { ...result, content }, { offset, limit }, settings)
      : binaryAnswer(path, content, result.mimeType, settings);
  },
};

function textAnswer(
  path: string,
  result: ReadResult & { readonly content: string },
  { offset, limit }: { readonly offset: number; readonly limit: number },
  settings: ToolSettings,
): ToolAnswer {
  const { content, totalLines, mimeType } = result;
  if (content === "") {
    const note =
      offset === 0 && limit > 0 ? `${path} is empty.` : `No lines of ${path} were asked for.`;
    return { content: `[${note}]`, artifact: { path, mimeType, totalLines: totalLines ?? 0 } };
  }
  const first = result.startLine ?? offset + 1;
  const page = numberLines(content, first, {
    tokens: settings.answerTokens,
    count: settings.countTokens,
  });
  const last = first + page.lines - 1;
  const more = nextOffset(result, last);
  const notes = [
    ...(page.cutCharacters > 0
      ? [`line ${last} is cut: ${page.cutCharacters} more characters; search it with grep`]
      : []),
    ...(more === undefined ? [] : [rangeNote(first, last, totalLines, more)]),
  ];
  const footer = notes.length === 0 ? "" : `\n[${notes.join("; ")}]`;
  const position = { startLine: first, endLine: last, totalLines, nextOffset: more };
  return { content: `${page.text}${footer}`, artifact: { path, mimeType, ...position } };
}

/** The offset that goes on after a line: also where the page was cut before its own end. */
function nextOffset({ endLine, nextOffset: next }: ReadResult, last: number): number | undefined {
  if (endLine !== undefined && last < endLine) return last;
  return next;
}

function rangeNote(first: number, last: number, total: number | undefined, next: number): string {
  const of = total === undefined ? "" : ` of ${total}`;
  return `lines ${first}–${last}${of}, continue at offset ${next}`;
}

function binaryAnswer(
  path: string,
  bytes: Uint8Array,
  mimeType = "application/octet-stream",
  settings: ToolSettings,
): ToolAnswer {
  const artifact = { path, mimeType, bytes: bytes.length };
  if (bytes.length === 0) return { content: `[${path} is empty.]`, artifact };
  const proven = provenMediaType(bytes);
  if (proven === undefined) {
    const note = `${path} is a binary file (${mimeType}, ${bytes.length} bytes) and cannot be shown.`;
    return { content: `[${note}]`, artifact };
  }
  if (bytes.length > settings.maxBinaryBytes) {
    const error = `${path} has ${bytes.length} bytes; at most ${settings.maxBinaryBytes} can be shown.`;
    return refusal({ error, code: "too_large" }, path);
  }
  const label = { type: "text" as const, text: `${path} (${proven}, ${bytes.length} bytes)` };
  return {
    content: [label, mediaBlock(bytes, proven, basenameOf(path))],
    artifact: { ...artifact, mimeType: proven },
  };
}
