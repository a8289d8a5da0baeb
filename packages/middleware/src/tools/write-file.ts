import { z } from "zod";
import { refusal } from "./answer.js";
import type { ToolDefinition } from "./define-tool.js";
import { FILE_PATH_ALIASES, tolerantSchema } from "./schema.js";

const schema = tolerantSchema(
  {
    file_path: z.string().describe("Absolute path"),
    content: z.string().default(""),
  },
  { ...FILE_PATH_ALIASES, text: "content", contents: "content", data: "content" },
);

/** `write_file`: creates a text file. */
export const writeFileTool: ToolDefinition<z.output<typeof schema>> = {
  name: "write_file",
  description: "Create a text file; parent directories are made. To change a file, edit it.",
  schema,
  subject: (args) => args.file_path,
  async run({ file_path: path, content }, { backend, options }) {
    const written = await backend.write(path, content, options);
    if (written.error !== undefined) return refusal(written, path);
    const stored = written.path ?? path;
    return {
      content: `Wrote ${stored}`,
      artifact: { ...written.metadata, path: stored, bytes: Buffer.byteLength(content) },
    };
  },
};
