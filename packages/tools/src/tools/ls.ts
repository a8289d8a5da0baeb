import type { FileInfo } from "@fs/protocol";
import { z } from "zod";
import { present, refusal, textPart } from "../answer.js";
import type { ToolDefinition } from "../definition.js";
import { READS } from "../effects.js";
import { FILE_ENTRIES, fileEntryOf } from "../output/file-entry.js";
import { cutList } from "../output/cut-list.js";
import { DIRECTORY_ALIASES, tolerantSchema } from "../schema.js";

const schema = tolerantSchema(
  {
    path: z.string().default("/").describe("Absolute path"),
    times: z.boolean().default(false).describe("Show times"),
  },
  DIRECTORY_ALIASES,
);

/** `ls`: the children of a directory, one path a line. */
export const lsTool: ToolDefinition<z.output<typeof schema>> = {
  name: "ls",
  description: "List a directory's children; directories end in '/'.",
  schema,
  outputSchema: z.object({
    entries: z.number(),
    files: FILE_ENTRIES.optional(),
  }),
  effects: READS,
  subject: ({ path }) => path,
  async run({ path, times }, { backend, options, settings }) {
    const { files, warnings, ...failed } = await backend.ls(path, options);
    if (files === undefined) return refusal(failed, path);
    const list = cutList(
      files.map((file) => lineOf(file, times)),
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
      content: textPart([...(list.text === "" ? [] : [list.text]), ...notes].join("\n")),
      structured: {
        path,
        entries: files.length,
        ...(settings.structuredText ? { files: files.slice(0, list.shown).map(fileEntryOf) } : {}),
      },
    };
  },
};

function lineOf({ path, is_dir, size, modified_at }: FileInfo, times: boolean): string {
  const facts = Object.values(
    present({
      size: is_dir === true || size === undefined ? undefined : `${size} B`,
      time: times ? modified_at : undefined,
    }),
  );
  return facts.length === 0 ? path : `${path} (${facts.join(", ")})`;
}
