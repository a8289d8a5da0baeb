import { basenameOf } from "@fs/protocol/author";
import { z } from "zod";
import { present, refusal, textPart } from "../answer.js";
import type { ToolAnswer, ToolDefinition } from "../definition.js";
import { READS } from "../effects.js";
import { mediaPart, provenMediaType } from "../output/media.js";
import { DEFAULT_LINES, textPage } from "../output/text-page.js";
import { withVersion } from "../output/with-version.js";
import type { ToolSettings } from "../settings.js";
import { FILE_PATH_ALIASES, tolerantSchema } from "../schema.js";

const schema = tolerantSchema(
  {
    file_path: z.string().describe("Absolute path"),
    offset: z.number().default(0).describe("First line, 0-based"),
    limit: z.number().default(DEFAULT_LINES).describe("Max lines"),
    column: z.number().default(0).describe("First character of the first line"),
  },
  { ...FILE_PATH_ALIASES, start: "offset", lines: "limit", max_lines: "limit" },
);

/** `read_file`: a page of a text file with line numbers, or an image, audio, video or PDF for the model to look at. */
export const readFileTool: ToolDefinition<z.output<typeof schema>> = {
  name: "read_file",
  description:
    "Read a file. Text comes as 'line number→text'; the arrow and number are not part of the file. Images, audio, video and PDF are shown.",
  schema,
  outputSchema: z.object({
    content: z.string().optional(),
    totalLines: z.number().optional(),
    nextOffset: z.number().optional(),
    nextColumn: z.number().optional(),
    version: z.string().optional(),
  }),
  effects: READS,
  subject: (args) => args.file_path,
  async run({ file_path: path, offset, limit, column }, { backend, options, settings, known }) {
    if (!Number.isInteger(column) || column < 0) {
      const error = "'column' must be a whole number, 0 or more.";
      return refusal({ error, code: "invalid_argument" }, path);
    }
    const result = await backend.read(path, offset, limit, options);
    if (result.error !== undefined) return refusal(result, path);
    const { content } = result;
    known.add(path, result.version);
    return typeof content === "string"
      ? textPage(path, { ...result, content }, { offset, limit, column }, settings)
      : withVersionNote(binaryAnswer(path, content, result.mimeType, settings), result, settings);
  },
};

function binaryAnswer(
  path: string,
  bytes: Uint8Array,
  mimeType = "application/octet-stream",
  settings: ToolSettings,
): ToolAnswer {
  const structured = { path, mimeType, bytes: bytes.length };
  if (bytes.length === 0) return { content: textPart(`[${path} is empty.]`), structured };
  const proven = provenMediaType(bytes);
  if (proven === undefined) {
    const note = `${path} is a binary file (${mimeType}, ${bytes.length} bytes) and cannot be shown.`;
    return { content: textPart(`[${note}]`), structured };
  }
  if (bytes.length > settings.maxBinaryBytes) {
    const error = `${path} has ${bytes.length} bytes; at most ${settings.maxBinaryBytes} can be shown.`;
    return refusal({ error, code: "too_large" }, path);
  }
  return {
    content: [
      ...textPart(`${path} (${proven}, ${bytes.length} bytes)`),
      mediaPart(bytes, proven, basenameOf(path)),
    ],
    structured: { ...structured, mimeType: proven },
  };
}

function withVersionNote(
  answer: ToolAnswer,
  result: { readonly version?: string },
  settings: ToolSettings,
): ToolAnswer {
  const version = result.version;
  if (answer.failed === true || version === undefined) return answer;
  const note = withVersion("", version, settings).trim();
  return {
    ...answer,
    content: note === "" ? answer.content : [...answer.content, ...textPart(note)],
    structured: { ...answer.structured, ...present({ version }) },
  };
}
