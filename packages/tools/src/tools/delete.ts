import { z } from "zod";
import { refusal, textPart } from "../answer.js";
import { carriedUpdate } from "../carried-update.js";
import type { ToolDefinition } from "../definition.js";
import { REMOVES } from "../effects.js";
import { conditionOf, IF_VERSION } from "../if-version.js";
import { FILE_PATH_ALIASES, tolerantSchema } from "../schema.js";

const schema = tolerantSchema(
  { file_path: z.string().describe("Absolute path"), if_version: IF_VERSION },
  FILE_PATH_ALIASES,
);

/** `delete`: removes a file or a directory. Offered where the backend can. */
export const deleteTool: ToolDefinition<z.output<typeof schema>> = {
  name: "delete",
  description: "Delete a file or a whole directory.",
  schema,
  outputSchema: z.object({ path: z.string() }),
  effects: REMOVES,
  subject: (args) => args.file_path,
  async run({ file_path: path, if_version }, { backend, options }) {
    const deleted = await backend.delete?.(path, conditionOf(if_version, options));
    if (deleted === undefined)
      return refusal({ error: "This filesystem cannot delete.", code: "unsupported" }, path);
    if (deleted.error !== undefined) return refusal(deleted, path);
    return {
      content: textPart(`Deleted ${deleted.path ?? path}`),
      structured: { ...deleted.metadata, path: deleted.path ?? path },
      ...carriedUpdate(deleted),
    };
  },
};
