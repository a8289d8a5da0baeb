import type { Filesystem } from "@fs/protocol";
import { z } from "zod";
import { present, refusal, textPart } from "../answer.js";
import { carriedUpdate } from "../carried-update.js";
import type { ToolAnswer, ToolContext, ToolDefinition } from "../definition.js";
import { REPLACES } from "../effects.js";
import { tolerantSchema } from "../schema.js";

const schema = tolerantSchema(
  {
    source: z.string().describe("Absolute path"),
    destination: z.string(),
    overwrite: z.boolean().default(false).describe("Replace a file there"),
  },
  { from: "source", src: "source", to: "destination", dest: "destination", target: "destination" },
);

type Args = z.output<typeof schema>;

const outputSchema = z.object({ path: z.string() });

/** `move_file`: moves or renames. Offered where the backend can. */
export const moveFileTool: ToolDefinition<Args> = {
  name: "move_file",
  description: "Move or rename a file or directory.",
  schema,
  outputSchema,
  effects: REPLACES,
  subject: (args) => args.source,
  run: (args, context) => transfer("move", args, context),
};

/** `copy_file`: copies. Offered where the backend can. */
export const copyFileTool: ToolDefinition<Args> = {
  name: "copy_file",
  description: "Copy a file or directory.",
  schema,
  outputSchema,
  effects: REPLACES,
  subject: (args) => args.source,
  run: (args, context) => transfer("copy", args, context),
};

async function transfer(
  method: "move" | "copy",
  { source, destination, overwrite }: Args,
  { backend, options }: ToolContext,
): Promise<ToolAnswer> {
  const done = await call(backend, method)?.(source, destination, { ...options, overwrite });
  if (done === undefined)
    return refusal({ error: `This filesystem cannot ${method}.`, code: "unsupported" }, source);
  if (done.error !== undefined) return refusal(done, source);
  const path = done.path ?? destination;
  const verb = method === "move" ? "Moved" : "Copied";
  return {
    content: textPart(`${verb} ${source} to ${path}`),
    structured: { ...done.metadata, source, path, ...present({ files: done.files }) },
    ...carriedUpdate(done),
  };
}

function call(backend: Filesystem, method: "move" | "copy"): Filesystem["move"] {
  return method === "move" ? backend.move?.bind(backend) : backend.copy?.bind(backend);
}
