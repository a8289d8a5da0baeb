import type { ErrorCode } from "@fs/protocol";
import { mapConcurrently } from "@fs/protocol/async";
import { z } from "zod";
import { present, refusal, textOf } from "../answer.js";
import type { ContentPart, ToolAnswer, ToolDefinition } from "../definition.js";
import { READS } from "../effects.js";
import { DEFAULT_LINES } from "../output/text-page.js";
import { tolerantSchema } from "../schema.js";
import { readFileTool } from "./read-file.js";

/** Files that one call reads at most. */
const MAX_FILES = 50;
/** Files that are read at a time. */
const CONCURRENCY = 8;

const schema = tolerantSchema(
  {
    file_paths: z.array(z.string()).describe(`Absolute paths, at most ${MAX_FILES}`),
    limit: z.number().default(DEFAULT_LINES).describe("Max lines of each"),
  },
  { paths: "file_paths", files: "file_paths", file_path: "file_paths", path: "file_paths" },
);

interface FileOutcome {
  readonly path: string;
  readonly error?: string;
  readonly code?: ErrorCode | undefined;
}

/** `read_files`: the first page of several files. A file that cannot be read says so in its place. */
export const readFilesTool: ToolDefinition<z.output<typeof schema>> = {
  name: "read_files",
  description: "Read the start of several files.",
  schema,
  outputSchema: z.object({ files: z.array(z.unknown()) }),
  effects: READS,
  subject: ({ file_paths: [first = "the files"] }) => first,
  async run({ file_paths: paths, limit }, context) {
    if (paths.length === 0 || paths.length > MAX_FILES) {
      const error = `'file_paths' must name between 1 and ${MAX_FILES} files.`;
      return refusal({ error, code: "invalid_argument" });
    }
    const { settings } = context;
    const share = Math.max(1, Math.floor(settings.answerTokens / paths.length));
    const each = { ...context, settings: { ...settings, answerTokens: share } };
    const answers = await mapConcurrently(paths, CONCURRENCY, (path) =>
      readFileTool.run({ file_path: path, offset: 0, limit, column: 0 }, each),
    );
    const failed = answers.every((answer) => answer.failed === true);
    const code = answers[0]?.code;
    return {
      content: answers.flatMap((answer, index) => section(paths[index] ?? "", answer)),
      structured: { files: answers.map((answer, index) => outcome(paths[index] ?? "", answer)) },
      ...(failed ? { failed, ...present({ code }) } : {}),
    };
  },
};

/** A heading with the path, then what `read_file` would answer. */
function section(path: string, { content }: ToolAnswer): readonly ContentPart[] {
  const [first, ...rest] = content;
  return first?.type === "text"
    ? [{ type: "text", text: `=== ${path}\n${first.text}` }, ...rest]
    : [{ type: "text", text: `=== ${path}` }, ...content];
}

function outcome(path: string, answer: ToolAnswer): FileOutcome {
  if (answer.failed !== true) return { ...answer.structured, path };
  return { path, error: textOf(answer), ...present({ code: answer.code }) };
}
