import { z } from "zod";
import { present, refusal, textPart } from "../answer.js";
import { carriedUpdate } from "../carried-update.js";
import type { ToolDefinition } from "../definition.js";
import { REPLACES } from "../effects.js";
import { conditionOf, IF_VERSION } from "../if-version.js";
import { withVersion } from "../output/with-version.js";
import { FILE_PATH_ALIASES, tolerantSchema } from "../schema.js";

const schema = tolerantSchema(
  {
    file_path: z.string().describe("Absolute path"),
    content: z.string().default(""),
    if_version: IF_VERSION,
  },
  { ...FILE_PATH_ALIASES, text: "content", contents: "content", data: "content" },
  ["content"],
);

/** `write_file`: creates a text file; with `if_version` it replaces the file of that version. */
export const writeFileTool: ToolDefinition<z.output<typeof schema>> = {
  name: "write_file",
  description: "Create a text file; parent directories are made. To change a file, edit it.",
  schema,
  outputSchema: z.object({
    version: z.string().optional(),
  }),
  effects: REPLACES,
  subject: (args) => args.file_path,
  async run({ file_path: path, content, if_version }, { backend, options, settings, known }) {
    const written = await backend.write(path, content, conditionOf(if_version, options));
    if (written.error !== undefined) return refusal(written, path);
    const stored = written.path ?? path;
    const version = written.version;
    known.add(stored, version);
    return {
      content: textPart(withVersion(`Wrote ${stored}`, version, settings)),
      structured: {
        ...written.metadata,
        path: stored,
        bytes: new TextEncoder().encode(content).length,
        ...present({ version }),
      },
      ...carriedUpdate(written),
    };
  },
};
