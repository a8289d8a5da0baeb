import { z } from "zod";
import { refusal, textPart } from "../answer.js";
import type { ToolDefinition } from "../definition.js";
import { READS } from "../effects.js";
import { cutList } from "../output/cut-list.js";
import { FILE_ENTRIES, fileEntryOf } from "../output/file-entry.js";
import { DIRECTORY_ALIASES, tolerantSchema } from "../schema.js";

const schema = tolerantSchema(
  {
    pattern: z.string().describe("Such as '**/*.ts' (any depth) or '*.md' (only in path)"),
    path: z.string().default("/").describe("Absolute path"),
  },
  { ...DIRECTORY_ALIASES, glob: "pattern", query: "pattern" },
);

/** `glob`: the files whose path matches a pattern, one a line. */
export const globTool: ToolDefinition<z.output<typeof schema>> = {
  name: "glob",
  description: "Find files by path pattern: * ? [abc] {a,b} within a name, ** across directories.",
  schema,
  outputSchema: z.object({
    files: z.number(),
    truncated: z.boolean(),
    found: FILE_ENTRIES.optional(),
  }),
  effects: READS,
  subject: ({ path }) => path,
  async run({ pattern, path }, { backend, options, settings }) {
    const found = await backend.glob(pattern, path, options);
    const { files, truncated, warnings, ...failed } = found;
    if (files === undefined) return refusal(failed, path);
    const list = cutList(
      files.map((file) => file.path),
      { tokens: settings.answerTokens, count: settings.countTokens },
    );
    const notes = [
      ...(files.length === 0 ? [`No files match ${pattern} in ${path}.`] : []),
      ...(list.shown < files.length
        ? [`[${list.shown} of ${files.length} files shown; narrow the pattern or path]`]
        : []),
      ...(truncated === true ? ["[the search stopped early; narrow the pattern or path]"] : []),
      ...(warnings ?? []),
    ];
    return {
      content: textPart([...(list.text === "" ? [] : [list.text]), ...notes].join("\n")),
      structured: {
        path,
        files: files.length,
        truncated: truncated === true,
        ...(settings.structuredText ? { found: files.slice(0, list.shown).map(fileEntryOf) } : {}),
      },
    };
  },
};
