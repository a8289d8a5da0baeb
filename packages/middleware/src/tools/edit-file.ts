import type { Filesystem, CallOptions, EditOperation, EditResult } from "@fs/protocol";
import { z } from "zod";
import { isKnown } from "../messages/read-files.js";
import { diffOf, textBefore } from "../output/edit-diff.js";
import { refusal, type ToolAnswer } from "./answer.js";
import type { ToolCallContext, ToolDefinition } from "./define-tool.js";
import { FILE_PATH_ALIASES, tolerantSchema } from "./schema.js";

const schema = tolerantSchema(
  {
    file_path: z.string().describe("Absolute path"),
    old_string: z.string().describe("Exact text; must occur once unless replace_all"),
    new_string: z.string().default(""),
    replace_all: z.boolean().default(false),
  },
  {
    ...FILE_PATH_ALIASES,
    old: "old_string",
    new: "new_string",
    old_str: "old_string",
    new_str: "new_string",
  },
);

/** `edit_file`: replaces literal text. */
export const editFileTool: ToolDefinition<z.output<typeof schema>> = {
  name: "edit_file",
  description: "Replace exact text in a file you have read. Keep the file's indentation.",
  schema,
  subject: (args) => args.file_path,
  run({ file_path: path, old_string, new_string, replace_all }, context) {
    const edit = { old: old_string, new: new_string, replaceAll: replace_all };
    return answerEdit(path, [edit], context, (backend, options) =>
      backend.edit(path, old_string, new_string, replace_all, options),
    );
  },
};

const editSchema = z.object({
  old_string: z.string(),
  new_string: z.string().default(""),
  replace_all: z.boolean().default(false),
});

const multiSchema = tolerantSchema(
  {
    file_path: z.string().describe("Absolute path"),
    edits: z.array(editSchema).describe("Applied in order, all or none"),
  },
  FILE_PATH_ALIASES,
);

/** `multi_edit`: several replacements at once. Offered where the backend can. */
export const multiEditTool: ToolDefinition<z.output<typeof multiSchema>> = {
  name: "multi_edit",
  description: "Make several exact replacements in one file you have read, all or none.",
  schema: multiSchema,
  subject: (args) => args.file_path,
  run({ file_path: path, edits }, context) {
    const operations = edits.map((edit) => ({
      old: edit.old_string,
      new: edit.new_string,
      replaceAll: edit.replace_all,
    }));
    return answerEdit(path, operations, context, (backend, options) =>
      backend.multiEdit === undefined
        ? { error: "This filesystem cannot edit several places at once.", code: "unsupported" }
        : backend.multiEdit(path, operations, options),
    );
  },
};

async function answerEdit(
  path: string,
  edits: readonly EditOperation[],
  { backend, options, messages, settings }: ToolCallContext,
  apply: (backend: Filesystem, options: CallOptions) => EditResult | Promise<EditResult>,
): Promise<ToolAnswer> {
  if (settings.readBeforeEdit && !isKnown(messages, path)) {
    const error = `Read ${path} with read_file before editing it.`;
    return refusal({ error, code: "conflict" }, path);
  }
  const before = settings.editDiff ? await textBefore(backend, path, options) : undefined;
  const edited = await apply(backend, options);
  if (edited.error !== undefined) return refusal(edited, path);
  const stored = edited.path ?? path;
  const diff = diffOf(stored, before, edits);
  const { occurrences } = edited;
  const count = occurrences === undefined ? "" : ` (${occurrences} replaced)`;
  return {
    content: `Edited ${stored}${count}`,
    artifact: {
      ...edited.metadata,
      path: stored,
      occurrences,
      ...(diff === undefined ? {} : { diff }),
    },
  };
}
