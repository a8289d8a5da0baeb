import { z } from "zod";
import { cutList } from "../output/cut-list.js";
import { refusal } from "./answer.js";
import type { ToolDefinition } from "./define-tool.js";
import { DIRECTORY_ALIASES, tolerantSchema } from "./schema.js";

const schema = tolerantSchema(
  { path: z.string().default("/").describe("Absolute directory path") },
  DIRECTORY_ALIASES,
);

/** `ls`: the children of a directory, one path a line. */
export const lsTool: ToolDefinition<z.output<typeof schema>> = {
  name: "ls",
  description: "List a directory's immediate files and subdirectories (which end in '/').",
  schema,
  subject: ({ path }) => path,
  async run({ path }, { backend, options, settings }) {
    const { files, warnings, ...failed } = await backend.ls(path, options);
    if (files === undefined) return refusal(failed, path);
    const list = cutList(
      files.map(({ path: child, is_dir, size }) =>
        is_dir === true || size === undefined ? child : `${child} (${size} B)`,
      ),
      { tokens: settings.answerTokens, count: settings.countTokens },
    );
    const notes = [
      ...(files.length === 0 ? [`${path} is empty.`] : []),
      ...(list.shown < files.length
        ? [`[${list.shown} of ${files.length} entries shown; use glob to narrow it down]`]
        : []),
      ...(warnings ?? []),
    ];
    return {
      content: [...(list.text === "" ? [] : [list.text]), ...notes].join("\n"),
      artifact: { path, entries: files.length },
    };
  },
};
