import { z } from "zod";
import { refusal } from "./answer.js";
import type { ToolDefinition } from "./define-tool.js";
import { tolerantSchema } from "./schema.js";

const schema = tolerantSchema(
  {
    source: z.string().describe("Absolute path"),
    destination: z.string().describe("Absolute path; nothing may stand there"),
  },
  { from: "source", src: "source", to: "destination", dest: "destination", target: "destination" },
);

/** `move_file`: moves or renames. Offered where the backend can. */
export const moveFileTool: ToolDefinition<z.output<typeof schema>> = {
  name: "move_file",
  description: "Move or rename a file or directory.",
  schema,
  subject: (args) => args.source,
  async run({ source, destination }, { backend, options }) {
    const moved = await backend.move?.(source, destination, options);
    if (moved === undefined)
      return refusal({ error: "This filesystem cannot move.", code: "unsupported" }, source);
    if (moved.error !== undefined) return refusal(moved, source);
    return {
      content: `Moved ${source} to ${moved.path ?? destination}`,
      artifact: { ...moved.metadata, source, path: moved.path ?? destination, files: moved.files },
    };
  },
};
