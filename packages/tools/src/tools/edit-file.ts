import type { Filesystem, EditOperation, EditResult, MutationOptions } from "@fs/protocol";
import { guardListener } from "@fs/protocol/author";
import { z } from "zod";
import { present, refusal, textPart } from "../answer.js";
import { carriedUpdate } from "../carried-update.js";
import type { ToolAnswer, ToolContext, ToolDefinition } from "../definition.js";
import { REPLACES } from "../effects.js";
import { conditionOf, IF_VERSION } from "../if-version.js";
import type { ToolName } from "../names.js";
import { diffOf, textBefore } from "../output/edit-diff.js";
import { withVersion } from "../output/with-version.js";
import { type Aliases, FILE_PATH_ALIASES, tolerantSchema } from "../schema.js";
import { tryEdit } from "./try-edit.js";

const DRY_RUN = z.boolean().default(false).describe("Only show the diff");

/** What models call the texts of an edit. */
const TEXT_ALIASES: Aliases = {
  old: "old_string",
  new: "new_string",
  old_str: "old_string",
  new_str: "new_string",
  old_text: "old_string",
  new_text: "new_string",
};

const schema = tolerantSchema(
  {
    file_path: z.string().describe("Absolute path"),
    old_string: z.string().describe("Exact text; must occur once unless replace_all"),
    new_string: z.string().default(""),
    replace_all: z.boolean().default(false),
    if_version: IF_VERSION,
    dry_run: DRY_RUN,
  },
  { ...FILE_PATH_ALIASES, ...TEXT_ALIASES },
  ["new_string"],
);

const outputSchema = z.object({
  occurrences: z.number().optional(),
  diff: z.string().optional(),
  version: z.string().optional(),
});

/** `edit_file`: replaces literal text. */
export const editFileTool: ToolDefinition<z.output<typeof schema>> = {
  name: "edit_file",
  description: "Replace exact text in a file you have read. Keep the file's indentation.",
  schema,
  outputSchema,
  effects: REPLACES,
  subject: (args) => args.file_path,
  run(args, context) {
    const { old_string, new_string, replace_all } = args;
    const edit = { old: old_string, new: new_string, replaceAll: replace_all };
    return answerEdit("edit_file", args, [edit], context, (backend, options) =>
      backend.edit(args.file_path, old_string, new_string, replace_all, options),
    );
  },
};

const editSchema = tolerantSchema(
  {
    old_string: z.string(),
    new_string: z.string().default(""),
    replace_all: z.boolean().default(false),
  },
  TEXT_ALIASES,
  ["new_string"],
);

const multiSchema = tolerantSchema(
  {
    file_path: z.string().describe("Absolute path"),
    edits: z.array(editSchema).describe("Applied in order"),
    if_version: IF_VERSION,
    dry_run: DRY_RUN,
  },
  FILE_PATH_ALIASES,
);

/** `multi_edit`: several replacements at once. Offered where the backend can. */
export const multiEditTool: ToolDefinition<z.output<typeof multiSchema>> = {
  name: "multi_edit",
  description: "Make several exact replacements in one file you have read, all or none.",
  schema: multiSchema,
  outputSchema,
  effects: REPLACES,
  subject: (args) => args.file_path,
  run(args, context) {
    const operations = args.edits.map((edit) => ({
      old: edit.old_string,
      new: edit.new_string,
      replaceAll: edit.replace_all,
    }));
    return answerEdit("multi_edit", args, operations, context, (backend, options) =>
      backend.multiEdit === undefined
        ? { error: "This filesystem cannot edit several places at once.", code: "unsupported" }
        : backend.multiEdit(args.file_path, operations, options),
    );
  },
};

async function answerEdit(
  tool: ToolName,
  args: { readonly file_path: string; readonly if_version: string; readonly dry_run: boolean },
  edits: readonly EditOperation[],
  context: ToolContext,
  apply: (backend: Filesystem, options: MutationOptions) => EditResult | Promise<EditResult>,
): Promise<ToolAnswer> {
  const { file_path: path, if_version } = args;
  const { backend, options, settings, known } = context;
  const condition = conditionOf(if_version, options);
  if (args.dry_run) return tryEdit(path, edits, condition, context);
  // Whoever names the version has seen the file, or has asked somebody who has.
  if (settings.readBeforeEdit && if_version === "" && !known.has(path)) {
    const error = `Read ${path} with read_file before editing it.`;
    return refusal({ error, code: "conflict" }, path);
  }
  const before = settings.editDiff ? await textBefore(backend, path, options) : undefined;
  const edited = await apply(backend, condition);
  if (edited.error !== undefined) return refusal(edited, path);
  const stored = edited.path ?? path;
  const { occurrences } = edited;
  const version = edited.version;
  const count = occurrences === undefined ? "" : ` (${occurrences} replaced)`;
  known.add(stored, version);
  // The edit is done: what its diff throws must not make it a failed call.
  const diff = await diffOf(stored, before, edits).catch((error: unknown) => {
    guardListener(() => settings.onError?.(error, { tool }));
    return undefined;
  });
  return {
    content: textPart(withVersion(`Edited ${stored}${count}`, version, settings)),
    structured: {
      ...edited.metadata,
      path: stored,
      ...present({ occurrences, diff, version }),
    },
    ...carriedUpdate(edited),
  };
}
