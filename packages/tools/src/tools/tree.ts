import type { FileInfo } from "@fs/protocol";
import { basenameOf } from "@fs/protocol/author";
import { z } from "zod";
import { refusal, textPart } from "../answer.js";
import type { ToolContext, ToolDefinition } from "../definition.js";
import { READS } from "../effects.js";
import { cutList } from "../output/cut-list.js";
import { FILE_ENTRIES, fileEntryOf } from "../output/file-entry.js";
import { DIRECTORY_ALIASES, tolerantSchema } from "../schema.js";

/** Entries that an answer shows at most, and that are looked at before the walk ends. */
const MAX_ENTRIES = 1000;
/** Levels that a call may ask for. */
const MAX_DEPTH = 20;

const schema = tolerantSchema(
  {
    path: z.string().default("/").describe("Absolute path"),
    depth: z.number().default(3).describe("Max levels"),
  },
  DIRECTORY_ALIASES,
);

/** `tree`: the files and directories below a directory, level by level, indented. */
export const treeTool: ToolDefinition<z.output<typeof schema>> = {
  name: "tree",
  description: "Show a directory as an indented tree.",
  schema,
  outputSchema: z.object({
    entries: z.number(),
    truncated: z.boolean(),
    files: FILE_ENTRIES.optional(),
  }),
  effects: READS,
  subject: ({ path }) => path,
  async run({ path, depth }, context) {
    const { settings } = context;
    if (!Number.isInteger(depth) || depth < 1 || depth > MAX_DEPTH) {
      const error = `'depth' must be a whole number between 1 and ${MAX_DEPTH}.`;
      return refusal({ error, code: "invalid_argument" }, path);
    }
    const top = await context.backend.ls(path, context.options);
    if (top.files === undefined) return refusal(top, path);
    const walk = await walkBelow(top.files, depth, context);
    const all = rowsOf(top.files, walk.children, 0);
    const rows = all.slice(0, MAX_ENTRIES);
    const list = cutList(
      rows.map((row) => row.text),
      { tokens: settings.answerTokens, count: settings.countTokens },
    );
    const truncated = walk.full || list.shown < all.length;
    const notes = [
      ...(rows.length === 0 ? [`${path} is empty.`] : []),
      ...(truncated
        ? [`[${list.shown} entries shown, there are more; ask for a deeper path]`]
        : []),
      ...(top.warnings ?? []),
      ...walk.warnings,
    ];
    const shown = rows.slice(0, list.shown).map((row) => fileEntryOf(row.info));
    return {
      content: textPart([...(list.text === "" ? [] : [list.text]), ...notes].join("\n")),
      structured: {
        path,
        entries: shown.length,
        truncated,
        ...(settings.structuredText ? { files: shown } : {}),
      },
    };
  },
};

interface Walk {
  readonly children: ReadonlyMap<string, readonly FileInfo[]>;
  readonly warnings: readonly string[];
  /** Whether the walk ended before the tree did. */
  readonly full: boolean;
}

/** Level by level, so that what is cut is what is deepest. */
async function walkBelow(
  top: readonly FileInfo[],
  depth: number,
  { backend, options }: ToolContext,
): Promise<Walk> {
  const children = new Map<string, readonly FileInfo[]>();
  const warnings: string[] = [];
  let seen = top.length;
  let level = top.filter(isDirectory);
  for (let deeper = 1; deeper < depth && level.length > 0; deeper++) {
    const next: FileInfo[] = [];
    for (const directory of level) {
      if (seen >= MAX_ENTRIES) return { children, warnings, full: true };
      const listed = await backend.ls(directory.path, options);
      if (listed.files === undefined) warnings.push(listed.error ?? `${directory.path} failed.`);
      const files = listed.files ?? [];
      warnings.push(...(listed.warnings ?? []));
      children.set(directory.path, files);
      seen += files.length;
      next.push(...files.filter(isDirectory));
    }
    level = next;
  }
  return { children, warnings, full: false };
}

function rowsOf(
  files: readonly FileInfo[],
  children: Walk["children"],
  level: number,
): ReadonlyArray<{ readonly text: string; readonly info: FileInfo }> {
  return files.flatMap((info) => [
    { text: `${"  ".repeat(level)}${labelOf(info)}`, info },
    ...rowsOf(children.get(info.path) ?? [], children, level + 1),
  ]);
}

function labelOf(info: FileInfo): string {
  if (isDirectory(info)) return `${basenameOf(info.path.replace(/\/$/, ""))}/`;
  const name = basenameOf(info.path);
  return info.size === undefined ? name : `${name} (${info.size} B)`;
}

function isDirectory(info: FileInfo): boolean {
  return info.is_dir === true;
}
