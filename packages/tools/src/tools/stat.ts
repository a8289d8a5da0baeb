import { z } from "zod";
import { present, refusal, textPart } from "../answer.js";
import type { ToolDefinition } from "../definition.js";
import { READS } from "../effects.js";
import { fileEntryOf } from "../output/file-entry.js";
import { FILE_PATH_ALIASES, tolerantSchema } from "../schema.js";
import { statOf } from "@fs/protocol/bridge";

const schema = tolerantSchema(
  { file_path: z.string().describe("Absolute path") },
  FILE_PATH_ALIASES,
);

/** `stat`: size, times, type and version of a file or directory, without its content. */
export const statTool: ToolDefinition<z.output<typeof schema>> = {
  name: "stat",
  description: "Get a file's size, times and version.",
  schema,
  outputSchema: z.object({
    size: z.number().optional(),
    modified_at: z.string().optional(),
    version: z.string().optional(),
  }),
  effects: READS,
  subject: (args) => args.file_path,
  async run({ file_path: path }, { backend, options }) {
    const found = await statOf(backend, path, options);
    if (found.error !== undefined) return refusal(found, path);
    const { info } = found;
    const facts = {
      ...fileEntryOf(info),
      ...present({ created_at: info.created_at, mimeType: info.mimeType }),
    };
    return {
      content: textPart(
        Object.entries(facts)
          .map(([name, value]) => `${name}: ${value}`)
          .join("\n"),
      ),
      structured: facts,
    };
  },
};
