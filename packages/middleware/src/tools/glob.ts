import { z } from "zod";
import { cutList } from "../output/cut-list.js";
import { refusal } from "./answer.js";
import type { ToolDefinition } from "./define-tool.js";
import { DIRECTORY_ALIASES, tolerantSchema } from "./schema.js";

const schema = tolerantSchema(
  {
    pattern: z.string().describe("Such as '**/*.ts' (any depth) or '*.md' (only in path)"),
    path: z.string().default("/").describe("Absolute directory to search"),
  },
  { ...DIRECTORY_ALIASES, glob: "pattern", query: "pattern" },
);

/** `glob`: the files whose path matches a pattern, one a line. */
export const globTool: ToolDefinition<z.output<typeof schema>> = {
  name: "glob",
  description: "Find files by path pattern: * ? [abc] {a,b} within a name, ** across directories.",
  schema,
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
      content: [...(list.text === "" ? [] : [list.text]), ...notes].join("\n"),
      artifact: { path, files: files.length, truncated: truncated === true },
    };
  },
};
