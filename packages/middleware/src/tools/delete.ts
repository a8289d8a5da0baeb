import { z } from "zod";
import { refusal } from "./answer.js";
import type { ToolDefinition } from "./define-tool.js";
import { FILE_PATH_ALIASES, tolerantSchema } from "./schema.js";

const schema = tolerantSchema(
  { file_path: z.string().describe("Absolute path") },
  FILE_PATH_ALIASES,
);

/** `delete`: removes a file or a directory. Offered where the backend can. */
export const deleteTool: ToolDefinition<z.output<typeof schema>> = {
  name: "delete",
  description: "Delete a file, or a directory with everything in it.",
  schema,
  subject: (args) => args.file_path,
  async run({ file_path: path }, { backend, options }) {
    const deleted = await backend.delete?.(path, options);
    if (deleted === undefined)
      return refusal({ error: "This filesystem cannot delete.", code: "unsupported" }, path);
    if (deleted.error !== undefined) return refusal(deleted, path);
    return {
      content: `Deleted ${deleted.path ?? path}`,
      artifact: { ...deleted.metadata, path: deleted.path ?? path },
    };
  },
};
